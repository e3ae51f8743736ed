import { settlePortsOf } from "../../../../../../workflows/ports"
import { retryProblem } from "../../../../../../workflows/problems/retry-problem"
import { inReadersLanguage } from "../../../in-readers-language"
import { answerWithProblem } from "../../answer-with-problem"

/** Settles the problem's transactions again, see `retryProblemWorkflow`, and says how many are left to the watcher. */
export const POST = inReadersLanguage(async (req, res) => {
  const { settled, left } = await retryProblem(settlePortsOf(req.scope), {
    problem_id: req.params.id ?? "",
    retried_by: req.auth_context.actor_id,
  })
  await answerWithProblem(req, res, { retried: { now: settled.length, left } })
})
