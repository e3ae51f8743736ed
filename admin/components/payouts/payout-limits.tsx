import { Button, Container, Heading, Table, Text } from "@medusajs/ui"
import { useState } from "react"

import { usePayoutWords } from "../../lib/payout-words"
import { PayoutStop } from "./payout-stop"
import { Id } from "../transaction-details"
import type { PayoutSettings, PayoutState, PayoutTotal } from "../../lib/api"

const DAYS_SHOWN = 3

/** The rest of today's limit, and the sums paid out on earlier days. */
export const PayoutLimits = ({
  settings,
  totals,
}: {
  settings: PayoutSettings
  totals: PayoutTotal[]
}) => {
  const { t, rubles } = usePayoutWords()
  const { limits, me } = settings
  const { left_today: left, per_day: limit } = limits
  const figures = [
    ["today", rubles(limits.used_today)],
    [
      "left",
      left === null || limit === null
        ? t("payout.limits.none")
        : t("payout.limits.of", { left: rubles(left), limit: rubles(limit) }),
    ],
    ["perPayout", rubles(limits.per_payout)],
  ] as const
  return (
    <Container className="divide-y overflow-hidden p-0">
      <div className="flex flex-col gap-y-4 px-6 py-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <Heading level="h2">{t("payout.limits.title")}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {t("payout.limits.day", { zone: limits.time_zone })}
          </Text>
        </div>
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          {figures.map(([name, value]) => (
            <div key={name} className="flex flex-col gap-y-1">
              <Text asChild size="small" leading="compact" className="text-ui-fg-subtle">
                <dt>{t(`payout.limits.${name}`)}</dt>
              </Text>
              <Text asChild leading="compact" weight="plus">
                <dd>{value}</dd>
              </Text>
            </div>
          ))}
        </dl>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <YourId of={me} />
          <PayoutStop settings={settings} />
        </div>
      </div>
      {totals.length > 0 && <Totals totals={totals} />}
    </Container>
  )
}

/** The reader's own id, which the option `payouts.users` must name. */
export const YourId = ({ of }: { of: PayoutSettings["me"] }) => {
  const { t } = usePayoutWords()
  return of === null ? null : (
    <div className="txt-small text-ui-fg-subtle flex flex-wrap items-center gap-x-2">
      {t("payout.limits.me")} <Id value={of.id} />
    </div>
  )
}

interface Sum {
  count: number
  amount: number
  usdt: number | null
}

interface Day {
  day: string
  sent: Sum
  unclear: Sum
}

const SENT: PayoutState[] = ["created", "marked_sent"]
const UNCLEAR: PayoutState[] = ["unknown", "sending"]

function sumOf(totals: PayoutTotal[], states: PayoutState[]): Sum {
  const counted = totals.filter(({ state }) => states.includes(state))
  const known = counted.flatMap(({ amount_usdt }) => (amount_usdt === null ? [] : [+amount_usdt]))
  return {
    count: counted.reduce((sum, { count }) => sum + count, 0),
    amount: counted.reduce((sum, { amount }) => sum + amount, 0),
    usdt: known.length ? known.reduce((sum, amount) => sum + amount) : null,
  }
}

/** Days with payouts that were, or may have been, sent; the newest first. */
function daysOf(totals: PayoutTotal[]): Day[] {
  return [...new Set(totals.map(({ day }) => day))]
    .map((day) => {
      const ofDay = totals.filter((total) => total.day === day)
      return { day, sent: sumOf(ofDay, SENT), unclear: sumOf(ofDay, UNCLEAR) }
    })
    .filter(({ sent, unclear }) => sent.count + unclear.count > 0)
}

const Totals = ({ totals }: { totals: PayoutTotal[] }) => {
  const { t, rubles, usdt, dayOf } = usePayoutWords()
  const [isWhole, setIsWhole] = useState(false)
  const days = daysOf(totals)
  if (!days.length) return null
  const sum = ({ count, amount }: Sum) =>
    count ? t("payout.totals.sum", { count, sum: rubles(amount) }) : "–"
  return (
    <section
      aria-label={t("payout.totals.title")}
      // On a phone it is wider than the screen, so it can be scrolled by keyboard, too.
      tabIndex={0}
      className="overflow-x-auto"
    >
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{t("payout.totals.day")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{t("payout.totals.sent")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{t("payout.totals.usdt")}</Table.HeaderCell>
            <Table.HeaderCell className="text-right">{t("payout.totals.unclear")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {days.slice(0, isWhole ? undefined : DAYS_SHOWN).map(({ day, sent, unclear }) => (
            <Table.Row key={day} className="last:border-b-0">
              <Table.Cell className="whitespace-nowrap">{dayOf(day)}</Table.Cell>
              <Table.Cell className="whitespace-nowrap text-right">{sum(sent)}</Table.Cell>
              <Table.Cell className="whitespace-nowrap text-right">
                {usdt(sent.usdt === null ? null : String(sent.usdt))}
              </Table.Cell>
              <Table.Cell className="whitespace-nowrap text-right">{sum(unclear)}</Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
      {days.length > DAYS_SHOWN && !isWhole && (
        <div className="px-6 py-2">
          <Button size="small" variant="transparent" onClick={() => setIsWhole(true)}>
            {t("payout.totals.more", { count: days.length - DAYS_SHOWN })}
          </Button>
        </div>
      )}
    </section>
  )
}
