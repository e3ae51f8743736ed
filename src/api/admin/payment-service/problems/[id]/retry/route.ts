import { retryProblem } from "../../../../../../workflows/problems/retry-problem"
import { problemRoute } from "../../problem-route"

/** Settles the problem's transactions again, see `retryProblemWorkflow`. */
export const POST = problemRoute((ports, { problem_id, by }) =>
  retryProblem(ports, { problem_id, retried_by: by })
)
