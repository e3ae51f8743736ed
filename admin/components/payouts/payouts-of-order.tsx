import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import type { PaymentsAnswer, PayoutsOfOrderAnswer } from "../../lib/api"
import { newPayoutAt } from "../../lib/new-payout"
import { usePayoutWords } from "../../lib/payout-words"
import { PayoutLines } from "./payout-line"

/**
 * The payouts for an order, and a link to pay out money without a problem. Where a problem asks for the money, only the problem's
 * own action pays it out.
 */
export const PayoutsOfOrder = ({
  orderId,
  payOut,
  payouts,
  count,
  smallest,
}: PayoutsOfOrderAnswer & { orderId: string; payOut: PaymentsAnswer["pay_out"] }) => {
  const { t } = usePayoutWords()
  const isOffered = payOut !== null && smallest !== null && Number(payOut.left) >= smallest
  if (!payouts.length && !isOffered) return null
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex items-center justify-between gap-2">
        <Text size="small" weight="plus" leading="compact">
          {t("payout.title")}
        </Text>
        {isOffered && (
          <Button size="small" variant="secondary" asChild>
            <Link to={newPayoutAt({ orderId, amount: payOut.left, account: payOut.account })}>
              {t("payout.new.payOut")}
            </Link>
          </Button>
        )}
      </div>
      <PayoutLines payouts={payouts} count={count} />
    </div>
  )
}
