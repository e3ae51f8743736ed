import { SectionRow } from "@medusajs/dashboard/components"
import { Heading, StatusBadge, toast } from "@medusajs/ui"
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"

import type {
  AccountCheck,
  CheckAnswer,
  CheckResult,
  ConnectedAccount,
  ConnectionAnswer,
  TransactionsAnswer,
} from "../../lib/answers"
import { post, reading, useAction, useMay } from "../../lib/sdk"
import { useFormat } from "../../lib/format"
import { Ago, Card, Fields, State } from "../cards"
import { Action, Id, LinkTo } from "../link-to"

/** The service refuses a signature when the clocks differ by more than this. */
const TOLERATED_SECONDS = 300
/** The service's clock has whole seconds, and its answer takes time. */
const NOTICED_SECONDS = 3

const { queryKey: LAST_CHECK } = reading("connection-check")

/** Has the service asked whether it takes each account's credentials. */
export function useCheck(done?: (answer: CheckAnswer) => void) {
  const client = useQueryClient()
  return useAction({
    run: () => post<CheckAnswer>("connection/check"),
    done: (answer) => {
      client.setQueryData(LAST_CHECK, answer)
      done?.(answer)
    },
    failed: "connection.notChecked",
    // A refusal opens a problem, and an answer closes it.
    readAgain: ["problems"],
  })
}

/**
 * For the owner: whether each account is connected, by the service's answer after this admin asked for it, what is refused and who
 * changes that, and when money and callbacks came last. Nothing is asked for here.
 */
export const ConnectedCard = ({ connection }: { connection: ConnectionAnswer }) => {
  const { t } = useFormat()
  const { accounts, callbacks } = connection
  const check = useCheck(({ checks }) => {
    const refused = checks
      .flatMap(({ credentials, signature }) => [credentials, signature])
      .find((one) => one && outcomeOf(one) !== "accepted")
    if (!refused) toast.success(t("connection.checked"))
    else toast.error(t("connection.refused"), { description: t(whoOf(refused)) })
  })
  const { data: latest } = useQuery(reading<TransactionsAnswer>("transactions", LAST_PAID))
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
      <Accounts accounts={accounts}>
        {(account, check) => <Connected account={account} check={check} />}
      </Accounts>
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

const LAST_PAID = { order: "-paid_at", limit: 1 }

/** For the developer: where each account leads, and what it takes. */
export const AccountsCard = ({ accounts }: Pick<ConnectionAnswer, "accounts">) => {
  const { t } = useFormat()
  return (
    <Card title={t("connection.accounts")}>
      <Accounts accounts={accounts}>
        {(account, check) => (
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
  accounts: ConnectedAccount[]
  children: (account: ConnectedAccount, check: AccountCheck | null) => ReactNode
}

/** The rows of each account with its last check, below its name where there are several. */
const Accounts = ({ accounts, children }: AccountsProps) => {
  const { t } = useFormat()
  const { data } = useQuery<CheckAnswer>({
    queryKey: LAST_CHECK,
    queryFn: skipToken,
    gcTime: Infinity,
  })
  return accounts.map((account) => (
    <section key={`${account.id ?? ""} ${account.merchant_id}`} className="divide-y">
      {account.id !== null && (
        <Heading level="h3" className="px-6 py-4">
          {t("connection.account", { id: account.id })}
        </Heading>
      )}
      {children(account, data?.checks.find((one) => one.account === account.id) ?? null)}
    </section>
  ))
}

interface ConnectedAccountProps {
  account: ConnectedAccount
  check: AccountCheck | null
}

const Connected = ({ account, check }: ConnectedAccountProps) => {
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
  const { t, duration } = useFormat()
  if (ahead === null) return <>{t("connection.clockUnknown")}</>
  const seconds = Math.abs(ahead)
  const isSame = seconds <= NOTICED_SECONDS
  const difference = ahead > 0 ? "connection.clockAhead" : "connection.clockBehind"
  return (
    <StatusBadge color={isSame ? "green" : seconds < TOLERATED_SECONDS ? "orange" : "red"}>
      {isSame ? t("connection.clockSame") : t(difference, { time: duration(seconds) })}
    </StatusBadge>
  )
}
