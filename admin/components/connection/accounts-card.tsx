import { SectionRow } from "@medusajs/dashboard/components"
import { Button, Container, Heading, StatusBadge, Text, toast } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import { useMeasures } from "../../lib/measures"
import type { AccountCheck, CheckResult, ConnectedAccount } from "../../lib/api"
import { useCheckConnection, useLastCheck } from "../../lib/overview-queries"
import { useMay } from "../../lib/permissions"
import { useErrorWords } from "../../lib/refusal"
import { LinkTo } from "../link-to"
import { Id } from "../transaction-details"

/** The service refuses a signature when the clocks differ by more than this. */
const TOLERATED_SECONDS = 300
/** The service's clock has whole seconds, and its answer takes time. */
const NOTICED_SECONDS = 3

/** Each account with the service's answer to its credentials, after somebody asked for it. */
export const AccountsCard = ({ accounts }: { accounts: ConnectedAccount[] }) => {
  const { t } = useFormat()
  const words = useErrorWords()
  const check = useCheckConnection()
  const last = useLastCheck()
  const mayCheck = useMay("update")
  const ask = () => {
    check.mutate(undefined, {
      onSuccess: () => toast.success(t("connection.checked")),
      onError: (error) => toast.error(t("connection.notChecked"), { description: words(error) }),
    })
  }
  return (
    <Container className="divide-y p-0">
      <div className="flex items-center justify-between gap-3 px-6 py-4">
        <div>
          <Heading>{t("connection.accounts")}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {t("connection.accountsNote")}
          </Text>
        </div>
        {mayCheck && (
          <Button
            className="shrink-0"
            size="small"
            variant="secondary"
            onClick={ask}
            isLoading={check.isPending}
          >
            {t("connection.check")}
          </Button>
        )}
      </div>
      {accounts.map((account) => (
        <Account
          key={`${account.id ?? ""} ${account.merchant_id}`}
          account={account}
          check={last?.checks.find((one) => one.account === account.id) ?? null}
        />
      ))}
    </Container>
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
      <SectionRow title={t("connection.address")} value={<Id value={account.base_url} />} />
      <SectionRow title={t("fields.merchant")} value={<Id value={account.merchant_id} />} />
      <SectionRow title={t("connection.currencies")} value={account.currencies.join(", ")} />
      <SectionRow
        title={t("connection.placement")}
        value={t(`connection.placements.${account.order_placement}`)}
      />
      {account.opening_problems.map((problem) => (
        <SectionRow
          key={problem.id}
          title={t("connection.opening")}
          value={
            <div className="flex min-w-0 flex-col items-start gap-y-1">
              <LinkTo to={`/payment-service/problems/${problem.id}`}>
                <StatusBadge color="red">{word("problemKinds", "payments_not_opened")}</StatusBadge>
              </LinkTo>
              <Text size="xsmall" className="text-ui-fg-subtle [overflow-wrap:anywhere]">
                {text(problem.messages)}
              </Text>
            </div>
          }
        />
      ))}
      <SectionRow
        title={t("connection.credentials")}
        value={<Result result={check?.credentials ?? null} />}
      />
      <SectionRow
        title={t("connection.signature")}
        value={
          account.has_signing_secret ? (
            <Result result={check?.signature ?? null} />
          ) : (
            t("connection.noSignature")
          )
        }
      />
      {check && (
        <>
          <SectionRow
            title={t("connection.clock")}
            value={<Clock ahead={check.clock_ahead_seconds} />}
          />
          <SectionRow title={t("connection.checkedAt")} value={moment(check.checked_at)} />
        </>
      )}
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
    <div className="flex flex-col items-start gap-y-1">
      <StatusBadge color={outcome === "accepted" ? "green" : "red"}>
        {word("connection.outcomes", outcome)}
        {http_status === null ? "" : ` (${http_status})`}
      </StatusBadge>
      {messages !== null && (
        <Text size="xsmall" className="text-ui-fg-subtle break-words">
          {text(messages)}
        </Text>
      )}
    </div>
  )
}

const Clock = ({ ahead }: { ahead: number | null }) => {
  const { t } = useFormat()
  const { duration } = useMeasures()
  if (ahead === null) return <>{t("connection.clockUnknown")}</>
  const seconds = Math.abs(ahead)
  const isSame = seconds <= NOTICED_SECONDS
  return (
    <StatusBadge color={isSame ? "green" : seconds < TOLERATED_SECONDS ? "orange" : "red"}>
      {isSame
        ? t("connection.clockSame")
        : t(ahead > 0 ? "connection.clockAhead" : "connection.clockBehind", {
            time: duration(seconds),
          })}
    </StatusBadge>
  )
}
