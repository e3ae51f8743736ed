import { CheckCircleSolid, CircleDottedLine } from "@medusajs/icons"
import {
  Button,
  Container,
  Copy,
  Heading,
  Input,
  Label,
  Select,
  StatusBadge,
  Text,
  toast,
} from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Link } from "react-router-dom"

import type {
  AccountSettings,
  ConnectionAnswer,
  SettingsAnswer,
  TransactionAnswer,
} from "../../lib/api"
import { useFormat } from "../../lib/format"
import { useCheckConnection } from "../../lib/overview-queries"
import { useErrorWords } from "../../lib/refusal"
import { ask } from "../../lib/sdk"
import { transactionKeys } from "../../lib/query-keys"
import {
  type TestPayment,
  useEnable,
  useRegions,
  useSaveSettings,
  useTestPayment,
} from "../../lib/settings"
import { StandingBadge } from "../standing"

const LOOK_EVERY_MS = 2_000
const SMALL_AMOUNT = "10"

interface StepsProps {
  settings: SettingsAnswer
  account: AccountSettings
  connection: ConnectionAnswer
  mayChange: boolean
}

/** The steps from nothing to a paid test order, each with whether it is done. */
export const Steps = ({ settings, account, connection, mayChange }: StepsProps) => {
  const { t } = useFormat()
  const missing = account.missing.filter((name) => name !== "statuses.paid")
  const isReached = connection.callback_tokens.some(({ reached_at }) => reached_at !== null)
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <Heading>{t("settings.steps.title")}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {t("settings.steps.text")}
        </Text>
      </div>
      <Step name="account" isDone={!missing.length}>
        {missing.length > 0 ? <Missing account={account} names={missing} /> : null}
        {account.is_complete && mayChange && <Check account={account.account} />}
        {!account.is_complete && (
          <Text size="small" className="text-ui-fg-subtle">
            {t("settings.steps.simulator")}
          </Text>
        )}
      </Step>
      <Step name="callbacks" isDone={isReached}>
        {settings.callback_url && (
          <span className="flex min-w-0 items-center gap-x-1">
            <code className="txt-small break-all">{settings.callback_url}</code>
            <Copy content={settings.callback_url} className="text-ui-fg-muted shrink-0" />
          </span>
        )}
      </Step>
      <Step name="statuses" isDone={!account.missing.includes("statuses.paid")}>
        <Statuses account={account} connection={connection} mayChange={mayChange} />
      </Step>
      <RegionStep providers={settings.providers} mayChange={mayChange} />
      {account.is_complete && mayChange && <TestStep providers={settings.providers} />}
    </Container>
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
            <span className="sr-only">
              {" "}
              {t(isDone ? "settings.steps.done" : "settings.steps.open")}
            </span>
          </Text>
          <Text size="small" className="text-ui-fg-subtle">
            {t(`settings.steps.${name}.text`)}
          </Text>
        </div>
        {children}
      </div>
    </section>
  )
}

const Missing = ({ account, names }: { account: AccountSettings; names: string[] }) => {
  const { t, text } = useFormat()
  const labels = names.map((name) => {
    const option = account.options.find((one) => one.name === name)
    return option ? text(option.label) : name
  })
  return <Text size="small">{t("settings.steps.missing", { names: labels.join(", ") })}</Text>
}

const Check = ({ account }: { account: string }) => {
  const { t, text, word } = useFormat()
  const words = useErrorWords()
  const { mutate, isPending, data } = useCheckConnection()
  const check = data?.checks.find((one) => (one.account ?? "") === account) ?? data?.checks[0]
  return (
    <>
      <Button
        size="small"
        variant="secondary"
        isLoading={isPending}
        onClick={() =>
          mutate(undefined, {
            onError: (error) =>
              toast.error(t("connection.notChecked"), { description: words(error) }),
          })
        }
      >
        {t("connection.check")}
      </Button>
      {check && (
        <div role="status">
          <StatusBadge color={check.credentials.outcome === "accepted" ? "green" : "red"}>
            {word("connection.outcomes", check.credentials.outcome)}
          </StatusBadge>
          {check.credentials.messages && (
            <Text size="small">{text(check.credentials.messages)}</Text>
          )}
        </div>
      )}
    </>
  )
}

const MEANINGS = ["paid", "pending", "canceled", "expired", "reversed"] as const

/** Statuses that were seen and that no option names, each to be given a meaning. */
const Statuses = ({ account, connection, mayChange }: Omit<StepsProps, "settings">) => {
  const { t, word } = useFormat()
  const words = useErrorWords()
  const { mutate, isPending } = useSaveSettings(account)
  const seen = new Map<string, number>()
  for (const { status, count, meaning } of connection.statuses) {
    if (meaning === "unknown") seen.set(status, (seen.get(status) ?? 0) + count)
  }
  for (const { status, count } of connection.listed_statuses?.statuses ?? []) {
    if (!seen.has(status)) seen.set(status, count)
  }
  const give = (status: string, meaning: (typeof MEANINGS)[number]) => {
    const name = `statuses.${meaning}`
    const before = account.options.find((option) => option.name === name)?.value as string[] | null
    mutate(
      { options: { [name]: [...(before ?? []), status] } },
      {
        onSuccess: () => toast.success(t("settings.saved")),
        onError: (error) => toast.error(t("settings.notSaved"), { description: words(error) }),
      }
    )
  }
  if (!seen.size) return null
  return (
    <ul className="flex w-full flex-col gap-y-2">
      {[...seen].map(([status, count]) => (
        <li key={status} className="flex flex-wrap items-center justify-between gap-2">
          <Text size="small">{t("settings.steps.seen", { status, count })}</Text>
          {mayChange && (
            <Select
              size="small"
              disabled={isPending}
              onValueChange={(meaning) => give(status, meaning as (typeof MEANINGS)[number])}
            >
              <Select.Trigger className="w-52" aria-label={t("settings.steps.means", { status })}>
                <Select.Value placeholder={t("settings.steps.meaning")} />
              </Select.Trigger>
              <Select.Content>
                {MEANINGS.map((meaning) => (
                  <Select.Item key={meaning} value={meaning}>
                    {word("connection.statuses.meanings", meaning)}
                  </Select.Item>
                ))}
              </Select.Content>
            </Select>
          )}
        </li>
      ))}
    </ul>
  )
}

interface RegionStepProps {
  /** The ways to pay of ours. */
  providers: SettingsAnswer["providers"]
  mayChange: boolean
}

const RegionStep = ({ providers, mayChange }: RegionStepProps) => {
  const { t } = useFormat()
  const words = useErrorWords()
  const { data: regions = [] } = useRegions()
  const { mutate, isPending } = useEnable()
  const ours = providers.map(({ id }) => id)
  const isIn = (region: (typeof regions)[number]) =>
    ours.some((id) => region.payment_providers?.some((one) => one.id === id))
  return (
    <Step name="regions" isDone={regions.some(isIn)}>
      <ul className="flex w-full flex-col gap-y-2">
        {regions.map((region) => (
          <li key={region.id} className="flex flex-wrap items-center justify-between gap-2">
            <Text size="small">
              {region.name} · {region.currency_code.toUpperCase()}
            </Text>
            {isIn(region) ? (
              <StatusBadge color="green">{t("settings.steps.enabled")}</StatusBadge>
            ) : (
              mayChange && (
                <Button
                  size="small"
                  variant="secondary"
                  disabled={isPending}
                  onClick={() =>
                    mutate(
                      { region, ours },
                      {
                        onError: (error) =>
                          toast.error(t("settings.notSaved"), { description: words(error) }),
                      }
                    )
                  }
                >
                  {t("settings.steps.enable")}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </Step>
  )
}

const TestStep = ({ providers }: Pick<RegionStepProps, "providers">) => {
  const { t, word } = useFormat()
  const words = useErrorWords()
  const { data: regions = [] } = useRegions()
  const { mutate, isPending, data: payment, error } = useTestPayment()
  const [amount, setAmount] = useState(SMALL_AMOUNT)
  const choices = regions.flatMap((region) =>
    (region.payment_providers ?? []).flatMap(({ id }) => {
      const provider = providers.find((one) => one.id === id)
      return provider ? { region, ...provider } : []
    })
  )
  const state = useStateOf(payment)
  if (!choices.length) return null
  return (
    <Step name="test" isDone={state?.standing === "settled"}>
      <div className="flex flex-wrap items-end gap-2">
        <div className="flex flex-col gap-y-1">
          <Label htmlFor="test-amount" size="small">
            {t("fields.amount")}
          </Label>
          <Input
            id="test-amount"
            size="small"
            className="w-28"
            inputMode="decimal"
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
          />
        </div>
        {choices.map(({ region, id, method }) => (
          <Button
            key={`${region.id} ${id}`}
            size="small"
            variant="secondary"
            disabled={isPending || !(Number(amount.replace(",", ".")) > 0)}
            onClick={() =>
              mutate({
                region_id: region.id,
                provider_id: id,
                amount: Number(amount.replace(",", ".")),
              })
            }
          >
            {t("settings.steps.test.pay", {
              method: word("methods", method),
              region: region.name,
            })}
          </Button>
        ))}
      </div>
      {error && (
        <Text size="small" className="text-ui-fg-error" role="alert">
          {words(error)}
        </Text>
      )}
      {payment?.redirect && (
        <div className="flex flex-wrap items-center gap-3" role="status">
          <Button size="small" asChild>
            <a href={payment.redirect} target="_blank" rel="noreferrer">
              {t("settings.steps.test.open")}
            </a>
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

/** The test payment as it is now, until it has become an order. */
function useStateOf(payment: TestPayment | undefined) {
  const id = payment?.transaction_row_id ?? null
  const { data } = useQuery({
    queryKey: [...transactionKeys.all, "test", id],
    queryFn: () => ask<TransactionAnswer>(`transactions/${encodeURIComponent(id ?? "")}`),
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.transaction.standing === "settled" ? false : LOOK_EVERY_MS,
  })
  return data?.transaction
}
