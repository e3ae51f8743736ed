import { Container, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import { useFormat } from "../../lib/format"
import { transactionsAt } from "../../lib/lists"
import type { MoneyUnderWay } from "../../lib/api"
import { StandingBadge } from "../standing"
import { CardHeading } from "./figure"

/** Money that may still come, and money that came but is not in Medusa yet. */
export const UnderWayCard = ({ underWay }: { underWay: MoneyUnderWay[] }) => {
  const { t, money } = useFormat()
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <CardHeading to={transactionsAt({ standing: ["payable", "waiting_for_medusa"] })}>
          {t("overview.underWay.title")}
        </CardHeading>
      </div>
      {underWay.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("overview.underWay.nothing")}
        </Text>
      )}
      {underWay.map(({ standing, currency, count, amount }) => (
        <Link
          key={`${standing} ${currency}`}
          to={transactionsAt({ standing: [standing] })}
          className="hover:bg-ui-bg-base-hover transition-fg flex items-center justify-between gap-x-4 px-6 py-3"
        >
          <StandingBadge standing={standing} />
          <Text size="small" leading="compact" className="text-right">
            {money(amount, currency)}
            <span className="text-ui-fg-subtle"> · {t("overview.payments", { count })}</span>
          </Text>
        </Link>
      ))}
    </Container>
  )
}
