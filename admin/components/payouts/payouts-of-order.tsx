import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import type { PaymentsAnswer } from "../../lib/api"
import { newPayoutAt } from "../../lib/new-payout"
import { usePayouts, usePayoutSettings } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/payouts-api"
import { useMay } from "../../lib/permissions"
import { PayoutLines } from "./payout-line"

const MOST_SHOWN = 10

interface OfOrder {
  payouts: Payout[]
  /** How many there are in all. */
  count: number
  /** The least that the reader may pay out; null for who may not pay out at all. */
  smallest: number | null
}

/** The payouts of an order. Whoever may not see payouts sees none, and no error on the order's page. */
export function usePayoutsOfOrder(orderId: string | null): OfOrder {
  const mayRead = useMay("read", "payment_service_payout")
  const mayMake = useMay("create", "payment_service_payout")
  const isWanted = mayRead && orderId !== null
  const { data } = usePayouts({ order_id: orderId ?? "", limit: MOST_SHOWN }, isWanted)
  const { data: settings } = usePayoutSettings(isWanted)
  const isPossible =
    settings?.enabled && settings.accounts.some(({ has_signing_secret }) => has_signing_secret)
  return {
    payouts: isWanted ? (data?.payouts ?? []) : [],
    count: isWanted ? (data?.count ?? 0) : 0,
    smallest: mayMake && isPossible && settings.may.create ? settings.smallest : null,
  }
}

/**
 * The payouts for an order, and the way to pay out what no problem of its money asks for: where one does, its own action
 * is the only way.
 */
export const PayoutsOfOrder = ({
  orderId,
  payOut,
  payouts,
  count,
  smallest,
}: OfOrder & { orderId: string; payOut: PaymentsAnswer["pay_out"] }) => {
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
