import { Alert, Text } from "@medusajs/ui"
import type { ReactNode } from "react"

import type { PayoutSettings } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { useRead } from "../../lib/sdk"
import { Card, NotRead } from "../cards"
import { Id } from "../link-to"

/** An admin who may not see payouts gets that answer at once. */
export const usePayoutSettings = (enabled = true) =>
  useRead("payout-settings", {}, { enabled, retry: false })

/** Shows pages about payouts to readers who may see them, or the steps to enable payouts. */
export const PayoutGate = ({ children }: { children: (settings: PayoutSettings) => ReactNode }) => {
  const { t } = useFormat()
  const answer = usePayoutSettings()
  const { data } = answer
  if (!data) return <NotRead shape="card" answer={answer} />
  const canSign = data.accounts.some(({ has_signing_secret }) => has_signing_secret)
  if (!canSign) return <HowToEnable me={data.me} />
  return (
    <>
      {!data.enabled && <Alert variant="warning">{t("payout.switchedOff")}</Alert>}
      {children(data)}
    </>
  )
}

const STEPS = ["ask", "issue", "enter", "switch", "reset"] as const

/** The steps to get the signing secret, which payouts need. */
const HowToEnable = ({ me }: Pick<PayoutSettings, "me">) => {
  const { t } = useFormat()
  return (
    <Card title={t("payout.enable.title")} level="h1" note={t("payout.enable.what")}>
      <ol className="flex max-w-prose list-decimal flex-col gap-y-2 py-4 pl-11 pr-6">
        {STEPS.map((step) => (
          <Text key={step} asChild size="small">
            <li>{t(`payout.enable.${step}`)}</li>
          </Text>
        ))}
      </ol>
      <div className="px-6 py-4">
        <YourId of={me} />
      </div>
    </Card>
  )
}

/** The reader's own id, which the option `payouts.users` must name. */
export const YourId = ({ of }: { of: PayoutSettings["me"] }) => {
  const { t } = useFormat()
  return of === null ? null : (
    <div className="txt-small text-ui-fg-subtle flex flex-wrap items-center gap-x-2">
      {t("payout.limits.me")} <Id value={of.id} />
    </div>
  )
}
