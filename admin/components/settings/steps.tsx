import { CheckCircleSolid, CircleDottedLine } from "@medusajs/icons"
import { Form } from "@medusajs/dashboard/components"
import { Button, StatusBadge, Text } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"
import { z } from "zod"

import { entryOf, post, sdk, useAction, useRead } from "../../lib/sdk"
import type { AccountCheck, AccountSettings, Reads, TestPayment } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { isSame } from "../../lib/problems/related-page"
import { Card, NotDone, Subtle } from "../cards"
import { useCheck } from "../connection/connection"
import { Choice, TextField, useChecked, useTypedSum } from "../forms"
import { Action, Id } from "../link-to"
import { StandingBadge } from "../payments/verdict"
import { useSaveSettings } from "./options"

interface StepsProps {
  settings: Reads["settings"]
  account: AccountSettings
  connection: Reads["connection"]
  mayChange: boolean
}

/** The steps from nothing to a paid test order, each with whether it is done. */
export const Steps = ({ settings, account, connection, mayChange }: StepsProps) => {
  const { t, text, word } = useFormat()
  const check = useCheck(() => {})
  // The answer is the one of all accounts while this one has no options of its own.
  const answerOf = (id: string | null) => check.data?.checks.find((one) => one.account === id)
  const answer = answerOf(account.account) ?? answerOf(null)
  const credentials = answer?.credentials
  const missing = account.missing.flatMap((name) => {
    const option = account.options.find((one) => one.name === name)
    return name === "statuses.paid" ? [] : option ? text(option.label) : name
  })
  const providers = settings.providers.filter(
    (provider) => !account.account || provider.account === account.account
  )
  const payable = { providers, regions: connection.regions }
  const isReached = connection.callback_tokens.some(({ reached_at }) => reached_at !== null)
  return (
    <Card title={t("settings.steps.title")} level="h1" note={t("settings.steps.text")}>
      <Step name="account" isDone={!missing.length}>
        {missing.length > 0 && (
          <Text size="small">{t("settings.steps.missing", { names: missing.join(", ") })}</Text>
        )}
        {/* The service can be asked before anybody knows how it calls a paid transaction. */}
        {account.can_be_asked && mayChange && (
          <Action isLoading={check.isPending} onClick={() => check.act()}>
            {t("connection.check")}
          </Action>
        )}
        {credentials && (
          <div role="status">
            <StatusBadge color={credentials.outcome === "accepted" ? "green" : "red"}>
              {word("connection.outcomes", credentials.outcome)}
            </StatusBadge>
            {credentials.messages && <Text size="small">{text(credentials.messages)}</Text>}
          </div>
        )}
        {account.is_complete === false && <Subtle>{t("settings.steps.simulator")}</Subtle>}
      </Step>
      <Step name="callbacks" isDone={isReached}>
        {connection.callback_url && (
          <Text size="small" as="div">
            <Id value={connection.callback_url} />
          </Text>
        )}
      </Step>
      <Step name="statuses" isDone={!account.missing.includes("statuses.paid")}>
        <Statuses account={account} connection={connection} mayChange={mayChange} answer={answer} />
      </Step>
      <RegionStep settings={settings} {...payable} mayChange={mayChange} />
      {account.is_complete && mayChange && (
        <TestStep key={account.account} account={account.account} {...payable} />
      )}
    </Card>
  )
}

interface StepProps {
  name: "account" | "callbacks" | "statuses" | "regions" | "test"
  isDone: boolean
  children: ReactNode
}

const Step = ({ name, isDone, children }: StepProps) => {
  const { t } = useFormat()
  return (
    <section className="flex gap-x-3 px-6 py-4" aria-label={t(`settings.steps.${name}.title`)}>
      {isDone ? (
        <CheckCircleSolid className="text-ui-tag-green-icon mt-0.5 shrink-0" />
      ) : (
        <CircleDottedLine className="text-ui-fg-muted mt-0.5 shrink-0" />
      )}
      <div className="flex min-w-0 flex-1 flex-col items-start gap-y-2">
        <div>
          <Text size="small" weight="plus">
            {t(`settings.steps.${name}.title`)}
            <span className="sr-only"> {t(`settings.steps.${isDone ? "done" : "open"}`)}</span>
          </Text>
          <Subtle>{t(`settings.steps.${name}.text`)}</Subtle>
        </div>
        {children}
      </div>
    </section>
  )
}

type StatusesProps = Omit<StepsProps, "settings"> & { answer: AccountCheck | undefined }

/** Statuses that were seen, in payments or in the service's list, and that no option names, each to be given a meaning. */
const Statuses = ({ account, connection, mayChange, answer }: StatusesProps) => {
  const { t, word } = useFormat()
  const { act, isPending } = useSaveSettings(account, { failed: "settings.notSaved" })
  const seen = new Map<string, number>()
  // Another account may be at another service, which has other names.
  const accountOf = (name: string | null) => connection.accounts.find(({ id }) => id === name)
  const own = accountOf(account.account) ?? accountOf(null)
  for (const { status, count, meaning, ...at } of connection.statuses) {
    const isOwn = own
      ? own.base_url === at.base_url && isSame(own.merchant_id, at.merchant_id)
      : !connection.accounts.length
    if (meaning === "unknown" && isOwn) seen.set(status, (seen.get(status) ?? 0) + count)
  }
  const lists = account.options.filter(({ name }) => name.startsWith("statuses."))
  const named = lists.flatMap(({ value }) => (value ?? []) as string[])
  for (const { status, count } of answer?.statuses ?? []) {
    if (!seen.has(status) && !named.includes(status)) seen.set(status, count)
  }
  const give = (status: string, meaning: string) => {
    const name = `statuses.${meaning}`
    const before = lists.find((list) => list.name === name)?.value as string[] | null
    act({ options: { [name]: [...(before ?? []), status] } })
  }
  return (
    <>
      {answer?.credentials.outcome === "accepted" && !seen.size && (
        <Subtle>{t("settings.steps.statuses.none")}</Subtle>
      )}
      <ul className="flex w-full flex-col gap-y-2">
        {[...seen].map(([status, count]) => (
          <li key={status} className="flex flex-wrap items-center justify-between gap-2">
            <Text size="small">{t("settings.steps.seen", { status, count })}</Text>
            {mayChange && (
              <Choice
                size="small"
                className="w-52"
                aria-label={t("settings.steps.means", { status })}
                placeholder={t("settings.steps.meaning")}
                disabled={isPending}
                options={lists.flatMap(({ name, is_locked }) =>
                  is_locked ? [] : name.replace("statuses.", "")
                )}
                nameOf={(meaning) => word("connection.statuses.meanings", meaning)}
                onChoose={(meaning) => give(status, meaning)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

type Region = Reads["connection"]["regions"][number]
type Payable = Pick<Reads["settings"], "providers"> & Pick<Reads["connection"], "regions">

function currenciesOf({ accounts }: Reads["settings"], id: string): string[] {
  const account = accounts.find((one) => one.account === id) ?? accounts[0]
  return (account?.options.find(({ name }) => name === "currencies")?.value ?? []) as string[]
}

const enabledIn = ({ methods }: Region, providers: Payable["providers"]) =>
  providers.filter(({ id }) => methods.some(({ provider_id }) => provider_id === id))

type RegionStepProps = Payable & Pick<StepsProps, "settings" | "mayChange">

const RegionStep = ({ settings, providers, regions, mayChange }: RegionStepProps) => {
  const { t } = useFormat()
  const client = useQueryClient()
  const fitting = ({ currency }: Region) =>
    providers.filter(({ account }) => currenciesOf(settings, account).includes(currency))
  const enable = useAction({
    run: async (of: Region) => {
      // A region keeps the ways to pay that it has.
      const { region } = await sdk.admin.region.retrieve(of.id, { fields: "*payment_providers" })
      const ids = [...(region.payment_providers ?? []), ...fitting(of)].map(({ id }) => id)
      return await sdk.admin.region.update(of.id, { payment_providers: [...new Set(ids)] })
    },
    done: () => void client.invalidateQueries({ queryKey: ["regions"] }),
    failed: "settings.notSaved",
    readAgain: ["connection"],
  })
  const isIn = (region: Region) => enabledIn(region, providers).length > 0
  return (
    <Step name="regions" isDone={regions.some(isIn)}>
      <ul className="flex w-full flex-col gap-y-2">
        {regions.map((region) => (
          <li key={region.id} className="flex flex-wrap items-center justify-between gap-2">
            <Text size="small">
              {region.name} · {region.currency}
            </Text>
            {isIn(region) ? (
              <StatusBadge color="green">{t("settings.steps.enabled")}</StatusBadge>
            ) : !fitting(region).length ? (
              <Subtle>{t("settings.steps.otherCurrency", { currency: region.currency })}</Subtle>
            ) : (
              mayChange && (
                <Action disabled={enable.isPending} onClick={() => enable.act(region)}>
                  {t("settings.steps.enable")}
                </Action>
              )
            )}
          </li>
        ))}
      </ul>
    </Step>
  )
}

const TestStep = ({ account, providers, regions }: Payable & { account: string }) => {
  const { t, word } = useFormat()
  const sum = useTypedSum("10")
  const amount = sum.schema(t("actions.sumWrong"))
  const schema = z.object({
    amount: amount.refine((one) => Number(one) <= 1_000_000, t("settings.steps.test.most")),
  })
  const form = useChecked(schema, { amount: sum.shown })
  const pay = useAction({
    run: (of: { region_id: string; provider_id: string; amount: number }) =>
      post<TestPayment>("settings/test-payment", of),
  })
  const areSeveral = new Set(providers.map(({ account }) => account)).size > 1
  const choices = regions.flatMap((region) =>
    enabledIn(region, providers).map((provider) => ({ region, ...provider }))
  )
  const payment = pay.data
  const id = payment?.transaction_row_id ?? null
  // The test payment as it is now, until it has become an order.
  const { data } = useRead(
    entryOf("transactions", id ?? ""),
    {},
    {
      enabled: id !== null,
      refetchInterval: ({ state }) =>
        state.data?.transaction.standing === "settled" ? false : 2_000,
    }
  )
  const state = data?.transaction
  const isPaid = state?.standing === "settled"
  // A payment of an earlier visit, or a shopper's, shows the same.
  const taken = { standing: "settled", limit: 1, ...(account && { account }) }
  const { data: earlier } = useRead("transactions", taken)
  if (!choices.length) return null
  return (
    <Step name="test" isDone={isPaid || (earlier?.count ?? 0) > 0}>
      <Form {...form}>
        <TextField
          name="amount"
          label={t("fields.amount")}
          size="small"
          className="w-28"
          inputMode="decimal"
        />
      </Form>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ region, id: provider_id, method, account: of }) => (
          <Action
            key={`${region.id} ${provider_id}`}
            disabled={pay.isPending}
            onClick={form.handleSubmit(({ amount }) =>
              pay.act({ region_id: region.id, provider_id, amount: Number(amount) })
            )}
          >
            {t("settings.steps.test.pay", {
              method: [word("methods", method), ...(areSeveral ? [of] : [])].join(" · "),
              region: region.name,
            })}
          </Action>
        ))}
      </div>
      <NotDone error={pay.error} />
      {payment?.redirect && (
        <div className="flex flex-wrap items-center gap-3" role="status">
          <Button size="small" variant={isPaid ? "secondary" : "primary"} asChild>
            {isPaid ? (
              <Link to={`/orders/${state.order_id ?? ""}`}>{t("settings.steps.test.order")}</Link>
            ) : (
              <a href={payment.redirect} target="_blank" rel="noreferrer">
                {t("settings.steps.test.open")}
              </a>
            )}
          </Button>
          {state && <StandingBadge standing={state.standing} />}
          {state && (
            <Link className="txt-small underline" to={`/payment-service/transactions/${state.id}`}>
              {t("settings.steps.test.see")}
            </Link>
          )}
        </div>
      )}
    </Step>
  )
}
