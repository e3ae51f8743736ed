import { SectionRow } from "@medusajs/dashboard/components"
import { Alert, Heading, StatusBadge, toast } from "@medusajs/ui"
import type { ReactNode } from "react"

import { transactionsAt } from "../../lib/address"
import type { AccountCheck, CheckAnswer, ConnectedAccount, Reads } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { isSame, withStatus } from "../../lib/problems/related-page"
import { call, entryOf, post, useAction, useConfirm, useMay, useRead } from "../../lib/sdk"
import { Ago, Card, CardsPage, Fields, Line, NotRead, Note, State } from "../cards"
import { Action, Id, LinkTo } from "../link-to"
import { MEANING_COLORS } from "../payments/service-list"

/** Shows what is wrong with the connection to the service, before a customer notices: to the owner, and beside it to the developer. */
export const ConnectionCards = () => {
  const { t, text } = useFormat()
  const answer = useRead("connection")
  const { data } = answer
  const check = useCheck(({ checks }) => {
    const refused = checks
      .flatMap(({ credentials, signature }) => [credentials, signature])
      .find((one) => one && outcomeOf(one) !== "accepted")
    if (!refused) toast.success(t("connection.checked"))
    else toast.error(t("connection.refused"), { description: t(whoOf(refused)) })
  })
  if (!data) return <NotRead answer={answer} />
  const accounts = data.accounts.map((account) => ({
    account,
    check: check.data?.checks.find((one) => one.account === account.id) ?? null,
  }))
  return (
    <CardsPage
      zone="payment_service_connection"
      data={data}
      main={{
        PaymentServiceOwner: <Heading className="px-2 pt-2">{t("connection.owner")}</Heading>,
        PaymentServiceWarnings: (
          <>
            {data.warnings.map(({ messages }) => (
              <Alert key={messages.en} variant="warning">
                {text(messages)}
              </Alert>
            ))}
          </>
        ),
        PaymentServiceConnected: (
          <ConnectedCard {...{ accounts, check }} callbacks={data.callbacks} />
        ),
        PaymentServiceRegions: <RegionsCard regions={data.regions} />,
        PaymentServiceUnknownPlaces: <UnknownAccountsCard places={data.unknown_places} />,
      }}
      side={{
        PaymentServiceDeveloper: (
          <Heading className="px-2 pt-2">{t("connection.developer")}</Heading>
        ),
        PaymentServiceStore: <StoreCard connection={data} />,
        PaymentServiceCallbacks: <CallbacksCard connection={data} />,
        PaymentServiceStatuses: <StatusesCard connection={data} />,
        PaymentServiceAccounts: <AccountsCard accounts={accounts} />,
      }}
    />
  )
}

type Connection = Reads["connection"]

/** The service refuses a signature when the clocks differ by more than this. */
const TOLERATED_SECONDS = 300

/** Has the service asked whether it takes each account's credentials. */
export const useCheck = (done: (answer: CheckAnswer) => void) =>
  useAction({
    run: () => post<CheckAnswer>("connection/check"),
    done,
    failed: "connection.notChecked",
    // A refusal opens a problem, and an answer closes it.
    readAgain: ["problems"],
  })

interface Checked {
  account: ConnectedAccount
  /** Nothing until this admin has asked for it. */
  check: AccountCheck | null
}

interface ConnectedCardProps extends Pick<Connection, "callbacks"> {
  accounts: Checked[]
  check: ReturnType<typeof useCheck>
}

/** Whether each account is connected, by the service's answer after this admin asked for it, and when money and callbacks came last. */
const ConnectedCard = ({ accounts, check, callbacks }: ConnectedCardProps) => {
  const { t } = useFormat()
  const { data: latest } = useRead("transactions", { order: "-paid_at", limit: 1 })
  const [paid] = latest?.transactions ?? []
  const mayCheck = useMay("update")
  return (
    <Card
      title={t("connection.toService")}
      note={t("connection.accountsNote")}
      action={
        mayCheck && (
          <Action className="shrink-0" onClick={() => check.act()} isLoading={check.isPending}>
            {t("connection.check")}
          </Action>
        )
      }
    >
      <Accounts accounts={accounts}>{(of) => <Connected {...of} />}</Accounts>
      <Fields
        of={{
          "connection.lastPayment": (
            <LinkTo to={paid?.paid_at ? `/payment-service/transactions/${paid.id}` : null}>
              <Ago at={paid?.paid_at ?? null} />
            </LinkTo>
          ),
          "overview.machinery.lastCallback": <Ago at={callbacks.last_received_at} />,
        }}
      />
    </Card>
  )
}

const AccountsCard = ({ accounts }: { accounts: Checked[] }) => {
  const { t } = useFormat()
  return (
    <Card title={t("connection.accounts")}>
      <Accounts accounts={accounts}>
        {({ account, check }) => (
          <Fields
            of={{
              "connection.address": <Id value={account.base_url} />,
              "fields.merchant": <Id value={account.merchant_id} />,
              "connection.currencies": account.currencies.join(", "),
              "connection.placement": t(`connection.placements.${account.order_placement}`),
              "connection.clock": check && <Clock ahead={check.clock_ahead_seconds} />,
            }}
          />
        )}
      </Accounts>
    </Card>
  )
}

interface AccountsProps {
  accounts: Checked[]
  children: (of: Checked) => ReactNode
}

/** The rows of each account with its last check, below its name where there are several. */
const Accounts = ({ accounts, children }: AccountsProps) => {
  const { t } = useFormat()
  return accounts.map(({ account, check }) => (
    <section key={`${account.id ?? ""} ${account.merchant_id}`} className="divide-y">
      {account.id !== null && (
        <Heading level="h3" className="px-6 py-4">
          {t("connection.account", { id: account.id })}
        </Heading>
      )}
      {children({ account, check })}
    </section>
  ))
}

const Connected = ({ account, check }: Checked) => {
  const { t, moment, text, word } = useFormat()
  return (
    <>
      {account.opening_problems.map(({ id, messages }) => (
        <SectionRow
          key={id}
          title={t("connection.opening")}
          value={
            <State color="red" to={`/payment-service/problems/${id}`} note={text(messages)}>
              {word("problemKinds", "payments_not_opened")}
            </State>
          }
        />
      ))}
      <Fields
        of={{
          "connection.credentials": <Result result={check?.credentials ?? null} />,
          "connection.signature": account.has_signing_secret ? (
            <Result result={check?.signature ?? null} />
          ) : (
            t("connection.noSignature")
          ),
          "connection.checkedAt": check && moment(check.checked_at),
        }}
      />
    </>
  )
}

type CheckResult = AccountCheck["credentials"]

const outcomeOf = ({ http_status: status, outcome }: CheckResult) =>
  status !== null && status >= 300 && status < 400 ? "redirected" : outcome

/** The key of the sentence on who mends what the service answered. */
function whoOf(result: CheckResult): string {
  const outcome = outcomeOf(result)
  if (outcome === "unauthorized") return "connection.who.credentials"
  const isAddress = ["redirected", "not_found", "invalid", "link_refused"].includes(outcome)
  return `connection.who.${isAddress ? "address" : "service"}`
}

const Result = ({ result }: { result: CheckResult | null }) => {
  const { t, text, word } = useFormat()
  if (result === null) return <>{t("connection.notAsked")}</>
  const { http_status, messages } = result
  const outcome = outcomeOf(result)
  const isAccepted = outcome === "accepted"
  const note = [messages && text(messages), !isAccepted && t(whoOf(result))].filter(Boolean)
  return (
    <State color={isAccepted ? "green" : "red"} note={note.join(" ")}>
      {word("connection.outcomes", outcome)}
      {http_status === null ? "" : ` (${http_status})`}
    </State>
  )
}

const Clock = ({ ahead }: { ahead: number | null }) => {
  const { t, number } = useFormat()
  if (ahead === null) return <>{t("connection.clockUnknown")}</>
  const seconds = Math.abs(ahead)
  return (
    <StatusBadge color={seconds < TOLERATED_SECONDS ? "green" : "red"}>
      {t("connection.clockDiffers", { seconds: number(seconds) })}
    </StatusBadge>
  )
}

/** The button that changes the addresses of callbacks, after a question; the texts begin with the name of what is done. */
function useChange(name: "replace" | "remove", run: () => Promise<unknown>) {
  const { t } = useFormat()
  const confirm = useConfirm()
  const said = (text: string) => t(`connection.callbacks.${name}${text}`)
  const { act, isPending } = useAction({
    run,
    done: () => toast.success(said("Done")),
    failed: "connection.callbacks.failed",
    readAgain: ["connection"],
  })
  const ask = async () => {
    const isMeant = await confirm({
      label: said(""),
      title: said(name === "replace" ? "" : "Title"),
      description: said("Text"),
      isDangerous: name === "remove",
    })
    if (isMeant) act()
  }
  return { onClick: ask, isLoading: isPending, children: said("") }
}

/** The address to enter at the service, older addresses that still work, and whether callbacks can be read. */
const CallbacksCard = ({ connection }: { connection: Connection }) => {
  const { t } = useFormat()
  const { callback_tokens: tokens, callback_url: address } = connection
  const replace = useChange("replace", () => post("callback-tokens"))
  const mayChange = useMay("update")
  const isFromOptions = !tokens.some(
    ({ source, replaced_at }) => source === "generated" && !replaced_at
  )
  return (
    <Card
      title={t("connection.callbacks.title")}
      action={mayChange && !isFromOptions && <Action {...replace} />}
      of={{ "connection.callbacks.address": <Id value={address} /> }}
    >
      <section aria-label={t("connection.callbacks.tokens")}>
        {tokens.map((token) => (
          <Token key={token.id} token={token} mayRemove={mayChange} />
        ))}
      </section>
    </Card>
  )
}

interface TokenProps {
  token: Connection["callback_tokens"][number]
  mayRemove: boolean
}

/** A working address with its date; a replaced one can be removed. */
const Token = ({ token, mayRemove }: TokenProps) => {
  const { t, moment } = useFormat()
  const { id, source, created_at, replaced_at, reached_at } = token
  const remove = useChange("remove", () =>
    call(entryOf("callback-tokens", id), { method: "DELETE" })
  )
  const at = (key: string, iso: string) =>
    t(`connection.callbacks.${key}`, { moment: moment(iso, "short") })
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-3">
      <Line>
        {t(`connection.callbacks.${source}`)}
        <span className="text-ui-fg-subtle">
          {" "}
          {at("since", created_at)} ·{" "}
          {reached_at === null ? t("connection.callbacks.notReached") : at("reached", reached_at)}
        </span>
      </Line>
      {replaced_at === null ? (
        <StatusBadge color="green">{t("connection.callbacks.current")}</StatusBadge>
      ) : (
        <span className="flex items-center gap-3">
          <StatusBadge color="grey">{at("replaced", replaced_at)}</StatusBadge>
          {mayRemove && <Action variant="danger" {...remove} />}
        </span>
      )}
    </div>
  )
}

/** Our payment providers in each region; the region's own page changes them. */
const RegionsCard = ({ regions }: Pick<Connection, "regions">) => {
  const { t, word } = useFormat()
  return (
    <Card title={t("connection.regions.title")}>
      {regions.length === 0 && <Note>{t("connection.regions.empty")}</Note>}
      {regions.map(({ id, name, currency, methods }) => (
        <div key={id} className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
          <Line weight="plus">
            <LinkTo to={`/settings/regions/${id}`}>{name}</LinkTo>
            <span className="text-ui-fg-subtle"> {currency}</span>
          </Line>
          <span className="flex flex-wrap gap-2">
            {methods.length === 0 && (
              <StatusBadge color="grey">{t("connection.regions.none")}</StatusBadge>
            )}
            {methods.map(({ provider_id, method, account, has_account, takes_currency }) => {
              const lacks = has_account ? !takes_currency && "currency" : "account"
              const note = lacks && t(`connection.who.${lacks}`)
              return (
                <State key={provider_id} color={lacks ? "red" : "green"} note={note}>
                  {word("methods", method)}
                  {lacks && `: ${t(`connection.regions.lacks.${lacks}`, { account, currency })}`}
                </State>
              )
            })}
          </span>
        </div>
      ))}
    </Card>
  )
}

/** Whether Medusa's own modules are fit for production, and the state of the watcher. */
const StoreCard = ({ connection }: { connection: Connection }) => {
  const { t, ago } = useFormat()
  const { event_bus, locking, watcher, payouts } = connection
  const { looked_at: lookedAt, waiting_since: since } = watcher
  const isStuck = since !== null && Date.now() - Date.parse(since) > STUCK_MS
  return (
    <Card
      title={t("connection.store.title")}
      of={{
        "connection.store.eventBus": <Fitness of={event_bus} />,
        "connection.store.locking": <Fitness of={locking} />,
        "connection.store.watcher": (
          <StatusBadge color={isStuck ? "red" : "green"}>
            {t(`overview.machinery.${isStuck ? "stuck" : "running"}`, {
              ago: since && ago(since),
            })}
          </StatusBadge>
        ),
        "connection.store.lookedAt":
          lookedAt === null ? t("connection.store.noJobs") : <Ago at={lookedAt} />,
        "connection.store.payouts": <SwitchedOn payouts={payouts} />,
      }}
    >
      {watcher.silences.map(({ merchant_id, base_url: address, since }) => (
        <SectionRow
          key={`${merchant_id} ${address}`}
          title={t("overview.machinery.silence", { address })}
          value={
            <StatusBadge color="red">
              <Ago at={since} />
            </StatusBadge>
          }
        />
      ))}
    </Card>
  )
}

/** A watcher that leaves due work for this long is not running. */
const STUCK_MS = 5 * 60_000

const SwitchedOn = ({ payouts }: Pick<Connection, "payouts">) => {
  const { t, money } = useFormat()
  const { enabled, approval, per_day, users } = payouts
  const said = { limit: money(String(per_day), "RUB"), users: users.join(", ") }
  const note = t(`connection.store.payouts${approval ? "Approved" : "Of"}`, said)
  return (
    <State color={enabled ? "green" : "grey"} note={enabled && note}>
      {t(`connection.store.payouts${enabled ? "On" : "Off"}`)}
    </State>
  )
}

const Fitness = ({ of: { is_shared } }: { of: { is_shared: boolean } }) => {
  const { t } = useFormat()
  return (
    <State
      color={is_shared ? "green" : "orange"}
      note={!is_shared && t("connection.store.memoryNote")}
    >
      {t(`connection.store.${is_shared ? "shared" : "memory"}`)}
    </State>
  )
}

/** The statuses of payments at the service; each leads to what has it. */
const StatusesCard = ({ connection }: { connection: Connection }) => {
  const { t, number } = useFormat()
  const { statuses, accounts } = connection
  const ofPlace = (merchant: string, address: string) =>
    accounts.filter((one) => isSame(one.merchant_id, merchant) && one.base_url === address)
  return (
    <Card title={t("connection.statuses.title")} note={t("connection.statuses.note")}>
      {statuses.length === 0 && <Note>{t("connection.statuses.empty")}</Note>}
      {statuses.map(({ count, meaning, merchant_id, base_url, status }) => (
        <div
          key={`${merchant_id} ${base_url} ${status}`}
          className="flex flex-wrap items-center justify-between gap-2 px-6 py-3"
        >
          <Line weight="plus" className="break-all font-mono">
            <LinkTo
              to={transactionsAt(withStatus(status, ofPlace(merchant_id, base_url), accounts))}
            >
              {status}
            </LinkTo>
          </Line>
          <span className="flex items-center gap-3">
            <Line className="text-ui-fg-subtle">{number(count)}</Line>
            <StatusBadge color={MEANING_COLORS[meaning]}>
              {t(`connection.statuses.meanings.${meaning}`)}
            </StatusBadge>
          </span>
        </div>
      ))}
    </Card>
  )
}

/** Merchants and addresses of payments that can no longer be read. */
const UnknownAccountsCard = ({ places }: { places: Connection["unknown_places"] }) => {
  const { t } = useFormat()
  if (!places.length) return null
  return (
    <Card title={t("connection.unknownPlaces.title")} note={t("connection.unknownPlaces.note")}>
      {places.map(({ merchant_id, base_url, count }) => (
        <SectionRow
          key={`${merchant_id} ${base_url}`}
          title={t("overview.payments", { count })}
          value={
            <span className="flex flex-col">
              <Id value={merchant_id} />
              <Id value={base_url} />
            </span>
          }
        />
      ))}
    </Card>
  )
}
