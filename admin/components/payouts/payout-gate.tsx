import { Alert, Container, Heading, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"

import type { PayoutSettings } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { reading } from "../../lib/sdk"
import { isRefused, NotRead } from "../cards"
import { Id } from "../link-to"

/** An admin who may not see payouts gets that answer at once. */
export const usePayoutSettings = (enabled = true) =>
  useQuery({ ...reading<PayoutSettings>("payout-settings"), enabled, retry: false })

/** Shows pages about payouts to readers who may see them, or the steps to enable payouts. */
export const PayoutGate = ({ children }: { children: (settings: PayoutSettings) => ReactNode }) => {
  const { t } = useFormat()
  const answer = usePayoutSettings()
  const { data, error } = answer
  if (!data && isRefused(error)) {
    return (
      <Container className="px-6 py-4">
        <Heading>{t("payout.title")}</Heading>
        <Text className="text-ui-fg-subtle">{t("payout.notAllowed")}</Text>
      </Container>
    )
  }
  if (!data) return <NotRead shape="card" answer={answer} />
  if (!data.accounts.some(({ has_signing_secret }) => has_signing_secret)) {
    return <HowToEnable me={data.me} />
  }
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
    <Container className="flex flex-col gap-y-4 px-6 py-4">
      <div className="flex flex-col gap-y-1">
        <Heading>{t("payout.enable.title")}</Heading>
        <Text className="text-ui-fg-subtle max-w-prose">{t("payout.enable.what")}</Text>
      </div>
      <ol className="flex max-w-prose list-decimal flex-col gap-y-2 pl-5">
        {STEPS.map((step) => (
          <Text key={step} asChild size="small">
            <li>{t(`payout.enable.${step}`)}</li>
          </Text>
        ))}
      </ol>
      <YourId of={me} />
    </Container>
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
