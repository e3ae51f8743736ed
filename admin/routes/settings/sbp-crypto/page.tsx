import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCard } from "@medusajs/icons"
import { Alert, Button, Select } from "@medusajs/ui"
import { useState } from "react"
import { Link } from "react-router-dom"

import { CardsPage } from "../../../components/cards"
import { NotRead } from "../../../components/not-read"
import { HistoryCard } from "../../../components/settings/history-card"
import { type Section, SectionCard } from "../../../components/settings/section-card"
import { Steps } from "../../../components/settings/steps"
import { useFormat } from "../../../lib/format"
import { useConnection } from "../../../lib/overview-queries"
import { useMay } from "../../../lib/permissions"
import { useSettings } from "../../../lib/settings"

const SECTIONS: Section[] = ["service", "statuses", "storefront", "checkout", "lists", "limits"]

const CONNECTION_EVERY_MS = 5_000

/** How the plugin is configured: the steps from nothing to a paid test order, and every option with its value. */
const SettingsPage = () => {
  const { t } = useFormat()
  const answer = useSettings()
  // Some steps are done elsewhere: the service calls, or a payment comes with a new status.
  const { data: connection } = useConnection(CONNECTION_EVERY_MS)
  const mayChange = useMay("update", "payment_service_settings")
  const [chosen, setChosen] = useState<string | null>(null)
  const settings = answer.data
  if (!settings) return <NotRead answer={answer} />
  const account = settings.accounts.find((one) => one.account === chosen) ?? settings.accounts[0]
  if (!account) return null
  const nameOf = (id: string) => id || t("settings.shared")
  return (
    <CardsPage
      zone="payment_service_settings"
      data={settings}
      main={{
        PaymentServiceUnopened: settings.unopened.length > 0 && (
          <Alert variant="error">{t("settings.unopened")}</Alert>
        ),
        PaymentServiceAccount: settings.accounts.length > 1 && (
          <Select
            value={account.account || "shared"}
            onValueChange={(id) => setChosen(id === "shared" ? "" : id)}
          >
            <Select.Trigger aria-label={t("fields.account")}>
              <Select.Value />
            </Select.Trigger>
            <Select.Content>
              {settings.accounts.map(({ account: id }) => (
                <Select.Item key={id} value={id || "shared"}>
                  {nameOf(id)}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        ),
        PaymentServiceSteps: connection && (
          <Steps
            settings={settings}
            account={account}
            connection={connection}
            mayChange={mayChange}
          />
        ),
        ...Object.fromEntries(
          SECTIONS.map((section) => [
            `PaymentServiceSettings_${section}`,
            <SectionCard
              key={`${account.account} ${section}`}
              account={account}
              section={section}
              mayChange={mayChange}
              canSeal={settings.can_seal}
            />,
          ])
        ),
      }}
      side={{
        PaymentServiceConnectionLink: (
          <Button size="small" variant="secondary" asChild className="self-start">
            <Link to="/payment-service/connection">{t("connection.title")}</Link>
          </Button>
        ),
        PaymentServiceSettingsHistory: <HistoryCard settings={settings} />,
      }}
    />
  )
}

export const config = defineRouteConfig({
  label: "settings.title",
  translationNs: "paymentService",
  icon: CreditCard,
})

const SettingsBreadcrumb = () => <>{useFormat().t("settings.title")}</>

export const handle = {
  breadcrumb: () => <SettingsBreadcrumb />,
}

export default SettingsPage
