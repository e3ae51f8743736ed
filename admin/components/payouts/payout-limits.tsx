import { Alert, Container, Heading, Table, Text, toast } from "@medusajs/ui"
import { useState } from "react"

import type { PayoutSettings, PayoutState, PayoutTotal } from "../../lib/answers"
import { useConfirm, useReadAgain } from "../../lib/actions"
import { usePayoutWords } from "../../lib/payouts/words"
import { post } from "../../lib/sdk"
import { Line, Subtle } from "../cards"
import { Action } from "../link-to"
import { YourId } from "./payout-gate"

const DAYS_SHOWN = 3

interface PayoutLimitsProps {
  settings: PayoutSettings
  totals: PayoutTotal[]
}

/** The rest of today's limit, and the sums paid out on earlier days. */
export const PayoutLimits = ({ settings, totals }: PayoutLimitsProps) => {
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
          {limit !== null && <Subtle>{t("payout.limits.day", { zone: limits.time_zone })}</Subtle>}
        </div>
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          {figures.map(([name, value]) => (
            <div key={name} className="flex flex-col gap-y-1">
              <Line asChild className="text-ui-fg-subtle">
                <dt>{t(`payout.limits.${name}`)}</dt>
              </Line>
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

/** Stops all payouts at once, or says who has stopped them and lifts that. */
export const PayoutStop = ({ settings: { stopped, may } }: { settings: PayoutSettings }) => {
  const { t, moment, reasonOf } = usePayoutWords()
  const confirm = useConfirm()
  const readAgain = useReadAgain()
  const label = t(`payout.stop.${stopped ? "lift" : "set"}.action`)
  const change = async () => {
    const description = t(`payout.stop.${stopped ? "lift" : "set"}.whatHappens`)
    if (!(await confirm({ label, description, isDangerous: !stopped }))) return
    const failed = (error: unknown) => toast.error(reasonOf(error))
    await post("payouts/stop", { stopped: !stopped }).catch(failed)
    await readAgain()
  }
  const button = may.create && <Action onClick={() => void change()}>{label}</Action>
  if (!stopped) return button
  return (
    <Alert variant="warning" className="w-full">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {t("payout.stop.isSet", { name: stopped.by?.name, moment: moment(stopped.at, "short") })}
        {button}
      </div>
    </Alert>
  )
}

const SENT: PayoutState[] = ["created", "marked_sent"]
const UNCLEAR: PayoutState[] = ["unknown", "sending"]

function sumOf(totals: PayoutTotal[], states: PayoutState[]) {
  const counted = totals.filter(({ state }) => states.includes(state))
  const known = counted.flatMap(({ amount_usdt }) => (amount_usdt === null ? [] : [+amount_usdt]))
  return {
    count: counted.reduce((sum, { count }) => sum + count, 0),
    amount: counted.reduce((sum, { amount }) => sum + amount, 0),
    usdt: known.length ? String(known.reduce((sum, amount) => sum + amount)) : null,
  }
}

/** Days with payouts that were, or may have been, sent; the newest first. */
function daysOf(totals: PayoutTotal[]) {
  return [...new Set(totals.map(({ day }) => day))]
    .map((day) => {
      const ofDay = totals.filter((total) => total.day === day)
      return { day, sent: sumOf(ofDay, SENT), unclear: sumOf(ofDay, UNCLEAR) }
    })
    .filter(({ sent, unclear }) => sent.count + unclear.count > 0)
}

const COLUMNS = ["day", "sent", "usdt", "unclear"] as const

const Totals = ({ totals }: Pick<PayoutLimitsProps, "totals">) => {
  const { t, rubles, usdt, dayOf } = usePayoutWords()
  const [isWhole, setIsWhole] = useState(false)
  const days = daysOf(totals)
  if (!days.length) return null
  const sum = ({ count, amount }: ReturnType<typeof sumOf>) =>
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
            {COLUMNS.map((name) => (
              <Table.HeaderCell key={name} className={name === "day" ? "" : "text-right"}>
                {t(`payout.totals.${name}`)}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {days.slice(0, isWhole ? undefined : DAYS_SHOWN).map(({ day, sent, unclear }) => (
            <Table.Row key={day} className="last:border-b-0">
              <Table.Cell className="whitespace-nowrap">{dayOf(day)}</Table.Cell>
              {[sum(sent), usdt(sent.usdt), sum(unclear)].map((value, index) => (
                <Table.Cell key={index} className="whitespace-nowrap text-right">
                  {value}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
      {days.length > DAYS_SHOWN && !isWhole && (
        <div className="px-6 py-2">
          <Action variant="transparent" onClick={() => setIsWhole(true)}>
            {t("payout.totals.more", { count: days.length - DAYS_SHOWN })}
          </Action>
        </div>
      )}
    </section>
  )
}
