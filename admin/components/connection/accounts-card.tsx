import { Heading, StatusBadge, toast } from "@medusajs/ui"
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query"

import type { AccountCheck, CheckAnswer, CheckResult, ConnectedAccount } from "../../lib/answers"
import { useAction } from "../../lib/actions"
import { useFormat } from "../../lib/format"
import { useMay } from "../../lib/permissions"
import { post, reading } from "../../lib/sdk"
import { Card, Rows, State } from "../cards"
import { Action, Id } from "../link-to"

/** The service refuses a signature when the clocks differ by more than this. */
const TOLERATED_SECONDS = 300
/** The service's clock has whole seconds, and its answer takes time. */
const NOTICED_SECONDS = 3

const { queryKey: LAST_CHECK } = reading("connection-check")

/** Has the service asked whether it takes each account's credentials. */
export function useCheck(done?: () => void) {
  const client = useQueryClient()
  return useAction({
    run: () => post<CheckAnswer>("connection/check"),
    done: (answer) => {
      client.setQueryData(LAST_CHECK, answer)
      done?.()
    },
    failed: "connection.notChecked",
    // A refusal opens a problem, and an answer closes it.
    readAgain: ["problems"],
  })
}

/** Each account with the service's answer to its credentials, after this admin asked for it; nothing is asked for here. */
export const AccountsCard = ({ accounts }: { accounts: ConnectedAccount[] }) => {
  const { t } = useFormat()
  const check = useCheck(() => toast.success(t("connection.checked")))
  const { data: last } = useQuery<CheckAnswer>({
    queryKey: LAST_CHECK,
    queryFn: skipToken,
    gcTime: Infinity,
  })
  const mayCheck = useMay("update")
  return (
    <Card
      title={t("connection.accounts")}
      level="h1"
      note={t("connection.accountsNote")}
      action={
        mayCheck && (
          <Action className="shrink-0" onClick={() => check.act()} isLoading={check.isPending}>
            {t("connection.check")}
          </Action>
        )
      }
    >
      {accounts.map((account) => (
        <Account
          key={`${account.id ?? ""} ${account.merchant_id}`}
          account={account}
          check={last?.checks.find((one) => one.account === account.id) ?? null}
        />
      ))}
    </Card>
  )
}

const Account = ({ account, check }: { account: ConnectedAccount; check: AccountCheck | null }) => {
  const { t, moment, text, word } = useFormat()
  return (
    <section className="divide-y">
      {account.id !== null && (
        <Heading level="h3" className="px-6 py-4">
          {t("connection.account", { id: account.id })}
        </Heading>
      )}
      <Rows
        of={[
          [t("connection.address"), <Id key="address" value={account.base_url} />],
          [t("fields.merchant"), <Id key="merchant" value={account.merchant_id} />],
          [t("connection.currencies"), account.currencies.join(", ")],
          [t("connection.placement"), t(`connection.placements.${account.order_placement}`)],
          ...account.opening_problems.map(({ id, messages }) => {
            const state = (
              <State color="red" to={`/payment-service/problems/${id}`} note={text(messages)}>
                {word("problemKinds", "payments_not_opened")}
              </State>
            )
            return [t("connection.opening"), state] as const
          }),
          [
            t("connection.credentials"),
            <Result key="credentials" result={check?.credentials ?? null} />,
          ],
          [
            t("connection.signature"),
            account.has_signing_secret ? (
              <Result result={check?.signature ?? null} />
            ) : (
              t("connection.noSignature")
            ),
          ],
          [t("connection.clock"), check && <Clock ahead={check.clock_ahead_seconds} />],
          [t("connection.checkedAt"), check && moment(check.checked_at)],
        ]}
      />
    </section>
  )
}

const Result = ({ result }: { result: CheckResult | null }) => {
  const { t, text, word } = useFormat()
  if (result === null) return <>{t("connection.notAsked")}</>
  const { http_status, messages } = result
  const isRedirect = http_status !== null && http_status >= 300 && http_status < 400
  const outcome = isRedirect ? "redirected" : result.outcome
  return (
    <State color={outcome === "accepted" ? "green" : "red"} note={messages && text(messages)}>
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
