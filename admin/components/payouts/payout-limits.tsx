import { Alert, Container, Heading, Text, toast } from "@medusajs/ui"

import type { PayoutSettings } from "../../lib/answers"
import { useConfirm, useReadAgain } from "../../lib/actions"
import { usePayoutWords } from "../../lib/payouts/words"
import { post } from "../../lib/sdk"
import { Line, Subtle } from "../cards"
import { Action } from "../link-to"
import { YourId } from "./payout-gate"

/** The rest of today's limit. */
export const PayoutLimits = ({ settings }: { settings: PayoutSettings }) => {
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
    <Container className="flex flex-col gap-y-4 px-6 py-4">
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
    </Container>
  )
}

/** Stops all payouts at once, or says who has stopped them and lifts that. */
const PayoutStop = ({ settings: { stopped, may } }: { settings: PayoutSettings }) => {
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
        {t("payout.stop.isSet", { name: stopped.by.name, moment: moment(stopped.at, "short") })}
        {button}
      </div>
    </Alert>
  )
}
