import { recordRefundOutside } from "../../../../../../problems"
import { type Acting, problemRoute } from "../../problem-route"

/** Records that the money went back by another way; Medusa books the refund if it holds the payment. */
export const POST = problemRoute(
  async (ports, { problem_id, body, by }: Acting<"problems/:id/refunded-outside">) => {
    const recorded = await recordRefundOutside(ports, { problem_id, ...body, given_by: by })
    return { waits_for_change: recorded.waits_for_change }
  }
)
