import { Container, StatusBadge, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import { useFormat } from "../../lib/format"
import { problemsAt } from "../../lib/lists"
import type { WaitingMoney } from "../../lib/api"
import { CardHeading } from "./figure"

const COLORS = { day: "blue", week: "orange", older: "red" } as const

/** Open problems by kind and age; each leads to its list. */
export const WaitingCard = ({ waiting }: { waiting: WaitingMoney[] }) => {
  const { t, money, word } = useFormat()
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <CardHeading to="/payment-service/problems">{t("overview.waiting.title")}</CardHeading>
      </div>
      {waiting.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("overview.waiting.nothing")}
        </Text>
      )}
      {waiting.map(({ kind, age, currency, count, amount }) => (
        <Link
          key={`${kind} ${age} ${currency ?? ""}`}
          to={problemsAt(kind)}
          className="hover:bg-ui-bg-base-hover transition-fg flex items-center justify-between gap-x-4 px-6 py-3"
        >
          <div className="flex min-w-0 flex-col gap-y-1">
            <Text size="small" leading="compact" weight="plus">
              {word("problemKinds", kind)}
            </Text>
            <Text size="small" leading="compact" className="text-ui-fg-subtle">
              {t("overview.problems", { count })}
              {amount === null ? "" : ` · ${money(amount, currency)}`}
            </Text>
          </div>
          <StatusBadge color={COLORS[age]} className="shrink-0">
            {t(`overview.ages.${age}`)}
          </StatusBadge>
        </Link>
      ))}
    </Container>
  )
}
