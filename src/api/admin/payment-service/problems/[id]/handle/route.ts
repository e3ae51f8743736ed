import { handleProblem } from "../../../../../../problems"
import type { BodyOf } from "../../../validators"
import { problemRoute } from "../../problem-route"

/** Closes the problem with a person's note on how they took care of it. */
export const POST = problemRoute<BodyOf<"problems/:id/handle">>(
  async (ports, { problem_id, body, by }) => {
    await handleProblem(ports, { problem_id, ...body, handled_by: by })
    return {}
  }
)
