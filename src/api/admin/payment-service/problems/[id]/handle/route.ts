import { handleProblem } from "../../../../../../problems"
import { type Acting, problemRoute } from "../../problem-route"

/** Closes the problem with a person's note on how they took care of it. */
export const POST = problemRoute(
  async (ports, { problem_id, body, by }: Acting<"problems/:id/handle">) => {
    await handleProblem(ports, { problem_id, ...body, handled_by: by })
    return {}
  }
)
