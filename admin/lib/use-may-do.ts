import type { Payout, PayoutAction } from "./api"
import { useMay } from "./permissions"

/** Actions that the routes allow only to approvers. */
const OF_APPROVERS: PayoutAction[] = ["approve", "mark"]

/** Says which actions on a payout are possible now and allowed to the reader. */
export function useMayDo(payout: Payout): (action: PayoutAction) => boolean {
  const mayMake = useMay("create", "payment_service_payout")
  const mayApprove = useMay("approve", "payment_service_payout")
  const isPermitted = (action: PayoutAction) =>
    OF_APPROVERS.includes(action) ? mayApprove : mayMake
  return (action: PayoutAction) => payout.actions.includes(action) && isPermitted(action)
}
