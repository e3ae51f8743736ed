import { retryProblem } from "../../../../../../problems"
import { problemRoute } from "../../problem-route"

/** Settles the problem's transactions again, see `retryProblemWorkflow`, and says how many are left to the watcher. */
export const POST = problemRoute(async (ports, { problem_id, by }) => {
  const { settled, left } = await retryProblem(ports, { problem_id, retried_by: by })
  return { retried: { now: settled.length, left } }
})
