import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCard } from "@medusajs/icons"
import { Alert, Tabs, Text } from "@medusajs/ui"
import { useState } from "react"
import { useSearchParams } from "react-router-dom"

import { Card, CardsPage, NotRead, Note, titled, Tiny } from "../../../components/cards"
import { ConnectionCards } from "../../../components/connection/connection"
import { Choice } from "../../../components/forms"
import { Id } from "../../../components/link-to"
import { type Section, SectionCard } from "../../../components/settings/options"
import { Steps } from "../../../components/settings/steps"
import type { Reads } from "../../../lib/answers"
import { useFormat } from "../../../lib/format"
import { useMay, useRead } from "../../../lib/sdk"

const SECTIONS: Section[] = ["service", "statuses", "storefront", "checkout", "lists", "limits"]

/** Stands in a choice, which takes no empty text, for what all accounts share. */
const SHARED = "shared"

/** How the plugin is set up, and beside it what the connection to the service is like. */
const SettingsPage = () => {
  const { t } = useFormat()
  const [params, setParams] = useSearchParams()
  return (
    <Tabs
      className="flex flex-col gap-y-3"
      value={params.get("tab") === "connection" ? "connection" : "set-up"}
      onValueChange={(tab) => setParams(tab === "connection" ? { tab } : {})}
    >
      <Tabs.List>
        <Tabs.Trigger value="set-up">{t("settings.setUp")}</Tabs.Trigger>
        <Tabs.Trigger value="connection">{t("connection.title")}</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="set-up">
        <SetUp />
      </Tabs.Content>
      <Tabs.Content value="connection">
        <ConnectionCards />
      </Tabs.Content>
    </Tabs>
  )
}

/** The steps from nothing to a paid test order, and every option with its value. */
const SetUp = () => {
  const { t } = useFormat()
  const answer = useRead("settings")
  // Some steps are done elsewhere: the service calls, or a payment comes with a new status.
  const ofConnection = useRead("connection", {}, { refetchInterval: 5_000 })
  const connection = ofConnection.data
  const mayChange = useMay("update", "payment_service_settings")
  const [chosen, setChosen] = useState<string | null>(null)
  const settings = answer.data
  if (!settings) return <NotRead answer={answer} />
  const account = settings.accounts.find((one) => one.account === chosen) ?? settings.accounts[0]
  if (!account) return null
  return (
    <CardsPage
      zone="payment_service_settings"
      data={settings}
      main={{
        PaymentServiceUnopened: settings.unopened.length > 0 && (
          <Alert variant="error">
            {t("settings.unopened", { waiting: settings.in_flight_elsewhere })}
          </Alert>
        ),
        PaymentServiceAccount: settings.accounts.length > 1 && (
          <Choice
            aria-label={t("fields.account")}
            value={account.account || SHARED}
            options={settings.accounts.map(({ account: id }) => id || SHARED)}
            nameOf={(id) => (id === SHARED ? t("settings.shared") : id)}
            onChoose={(id) => setChosen(id === SHARED ? "" : id)}
          />
        ),
        PaymentServiceSteps: connection ? (
          <Steps {...{ settings, account, connection, mayChange }} />
        ) : (
          <NotRead shape="card" answer={ofConnection} />
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
      side={{ PaymentServiceSettingsHistory: <HistoryCard settings={settings} /> }}
    />
  )
}

const HistoryCard = ({ settings }: { settings: Reads["settings"] }) => {
  const { t, moment, text } = useFormat()
  const options = settings.accounts.flatMap((account) => account.options)
  const labelOf = (name: string) => {
    const option = options.find((one) => one.name === name)
    return option ? text(option.label) : name
  }
  return (
    <Card title={t("settings.history.title")} note={t("settings.history.text")}>
      {!settings.history.length && <Note>{t("settings.history.empty")}</Note>}
      {settings.history.map(({ account, version, at, by, by_name, changed }) => (
        <div key={`${account} ${version}`} className="px-6 py-3">
          <Text size="small" weight="plus">
            {by_name}
            {account && ` · ${account}`}
          </Text>
          <Text size="small" className="[overflow-wrap:anywhere]">
            {changed.map(labelOf).join(", ")}
          </Text>
          <div className="txt-xsmall">
            <Id value={by} to={`/settings/users/${by}`} />
          </div>
          <Tiny>
            <time dateTime={at}>{moment(at, "short")}</time>
          </Tiny>
        </div>
      ))}
    </Card>
  )
}

export const config = defineRouteConfig({
  label: "settings.title",
  translationNs: "paymentService",
  icon: CreditCard,
})

export const handle = titled("settings.title")

export default SettingsPage
