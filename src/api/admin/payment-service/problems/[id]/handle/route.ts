import { handleProblem } from "../../../../../../workflows/problems/handle-problem"
import { problemRoute } from "../../problem-route"
import type { HandleBody } from "../../validators"

/** Closes the problem with a person's note on how they took care of it. */
export const POST = problemRoute<HandleBody>(async (ports, { problem_id, body, by }) => {
  await handleProblem(ports, { problem_id, ...body, handled_by: by })
  return {}
})
