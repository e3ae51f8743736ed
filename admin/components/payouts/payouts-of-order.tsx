import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import { usePayouts, usePayoutSettings } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/payouts-api"
import { useMay } from "../../lib/permissions"
import { LinkTo } from "../link-to"
import { PayoutStateBadge } from "./payout-state"

const MOST_SHOWN = 10

interface OfOrder {
  payouts: Payout[]
  /** How many more there are. */
  more: number
  /** Whether the reader may pay out at all. */
  mayPayOut: boolean
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
  const payouts = isWanted ? (data?.payouts ?? []) : []
  return {
    payouts,
    more: isWanted && data ? data.count - payouts.length : 0,
    mayPayOut: mayMake && Boolean(isPossible && settings.may.create),
  }
}

/** The payouts for an order, and the way to pay out more. */
export const PayoutsOfOrder = ({
  orderId,
  payouts,
  more,
  mayPayOut,
}: OfOrder & { orderId: string }) => {
  const { t, rubles, card, moment } = usePayoutWords()
  if (!payouts.length && !mayPayOut) return null
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex items-center justify-between gap-2">
        <Text size="small" weight="plus" leading="compact">
          {t("payout.title")}
        </Text>
        {mayPayOut && (
          <Button size="small" variant="secondary" asChild>
            <Link to={`/payment-service/payouts/new?order_id=${orderId}`}>
              {t("payout.new.payOut")}
            </Link>
          </Button>
        )}
      </div>
      {payouts.map((payout) => (
        <div key={payout.id} className="flex flex-wrap items-center justify-between gap-2">
          <div className="flex flex-col gap-y-1">
            <Text size="small" leading="compact">
              <LinkTo to={`/payment-service/payouts/${payout.id}`}>
                {rubles(payout.amount)} · {card(payout)}
              </LinkTo>
            </Text>
            <Text size="xsmall" className="text-ui-fg-subtle">
              {moment(payout.created_at, "short")}
            </Text>
          </div>
          <PayoutStateBadge state={payout.state} />
        </div>
      ))}
      {more > 0 && (
        <Text size="small" className="text-ui-fg-subtle">
          {t("payout.more", { count: more })}
        </Text>
      )}
    </div>
  )
}
