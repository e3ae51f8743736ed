import { Text } from "@medusajs/ui"

import { Card } from "./cards"
import type { ListedTransaction } from "../lib/api"
import { useFormat } from "../lib/format"
import { LinkTo } from "./link-to"
import { StandingBadge } from "./standing"

/** Other payments of the same cart, order or payer. */
export const OtherAttempts = ({ attempts }: { attempts: ListedTransaction[] }) => {
  const { t, money, moment, word } = useFormat()
  if (!attempts.length) return null
  return (
    <Card title={t("attempts.title")}>
      {attempts.map((attempt) => (
        <div
          key={attempt.id}
          className="grid grid-cols-2 items-center gap-2 px-6 py-3 sm:grid-cols-4"
        >
          <Text size="small" leading="compact" asChild>
            <span>
              <LinkTo to={`/payment-service/transactions/${attempt.id}`}>
                {moment(attempt.opened_at, "short")}
              </LinkTo>
            </span>
          </Text>
          <Text size="small" leading="compact">
            {money(attempt.amount, attempt.currency)}
          </Text>
          <Text size="small" leading="compact" className="text-ui-fg-subtle">
            {word("methods", attempt.method)}
          </Text>
          <div className="sm:text-right">
            <StandingBadge standing={attempt.standing} />
          </div>
        </div>
      ))}
    </Card>
  )
}
