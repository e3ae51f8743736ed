import type { Payout, PayoutAction } from "./payouts-api"
import { useMay } from "./permissions"

/** Deeds that the routes allow only to approvers. */
const OF_APPROVERS: PayoutAction[] = ["approve", "mark", "approve_mark"]
/** Deeds that the routes also allow to the admin who approved this payout. */
const OF_SENDERS: PayoutAction[] = ["send", "send_again"]

/** Says which deeds on a payout are possible now and allowed to the reader. */
export function useMayDo(payout: Payout): (action: PayoutAction) => boolean {
  const mayMake = useMay("create", "payment_service_payout")
  const mayApprove = useMay("approve", "payment_service_payout")
  const isItsApprover = mayApprove && payout.approved_by_reader
  const isPermitted = (action: PayoutAction) => {
    if (OF_APPROVERS.includes(action)) return mayApprove
    return mayMake || (isItsApprover && OF_SENDERS.includes(action))
  }
  return (action: PayoutAction) => payout.actions.includes(action) && isPermitted(action)
}
