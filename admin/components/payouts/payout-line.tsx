import { Text } from "@medusajs/ui"

import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { LinkTo } from "../link-to"
import { PayoutStateBadge } from "./payout-state"

/** A payout in a short list, with a link to its page. */
const PayoutLine = ({ payout }: { payout: Payout }) => {
  const { rubles, card, moment } = usePayoutWords()
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
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
      <PayoutStateBadge payout={payout} />
    </div>
  )
}

/** Some payouts, and the number of further ones. */
export const PayoutLines = ({ payouts, count }: { payouts: Payout[]; count: number }) => {
  const { t } = usePayoutWords()
  const more = count - payouts.length
  return (
    <>
      {payouts.map((payout) => (
        <PayoutLine key={payout.id} payout={payout} />
      ))}
      {more > 0 && (
        <Text size="small" className="text-ui-fg-subtle">
          {t("payout.more", { count: more })}
        </Text>
      )}
    </>
  )
}
