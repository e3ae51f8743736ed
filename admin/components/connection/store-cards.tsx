import { SectionRow } from "@medusajs/dashboard/components"
import { Container, Heading, StatusBadge, Text } from "@medusajs/ui"

import { Card } from "../cards"
import { useFormat } from "../../lib/format"
import { MEANING_COLORS } from "../../lib/meaning-colors"
import { transactionsAt } from "../../lib/lists"
import type { ConnectionAnswer, Shared } from "../../lib/api"
import { isSame, withStatus } from "../../lib/related-page"
import { LinkTo } from "../link-to"
import { Moment, Watcher } from "../overview/machinery-card"
import { Id } from "../transaction-details"

/** Our payment providers in each region; the region's own page changes them. */
export const RegionsCard = ({ regions }: { regions: ConnectionAnswer["regions"] }) => {
  const { t, word } = useFormat()
  return (
    <Card title={t("connection.regions.title")}>
      {regions.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("connection.regions.empty")}
        </Text>
      )}
      {regions.map(({ id, name, currency, methods }) => (
        <div key={id} className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
          <Text size="small" leading="compact" weight="plus">
            <LinkTo to={`/settings/regions/${id}`}>{name}</LinkTo>
            <span className="text-ui-fg-subtle"> {currency}</span>
          </Text>
          <span className="flex flex-wrap gap-2">
            {methods.length === 0 && (
              <StatusBadge color="grey">{t("connection.regions.none")}</StatusBadge>
            )}
            {methods.map(({ provider_id, method, account, has_account, takes_currency }) => (
              <StatusBadge key={provider_id} color={takes_currency ? "green" : "red"}>
                {word("methods", method)}
                {!has_account && `: ${t("connection.regions.noAccount", { account })}`}
                {has_account &&
                  !takes_currency &&
                  `: ${t("connection.regions.otherCurrency", { currency })}`}
              </StatusBadge>
            ))}
          </span>
        </div>
      ))}
    </Card>
  )
}

/** Whether Medusa's own modules are fit for production, and the state of the watcher. */
export const StoreCard = ({ connection }: { connection: ConnectionAnswer }) => {
  const { t, moment } = useFormat()
  const { event_bus, locking, watcher, payouts } = connection
  return (
    <Card title={t("connection.store.title")}>
      <SectionRow title={t("connection.store.eventBus")} value={<Fitness of={event_bus} />} />
      <SectionRow title={t("connection.store.locking")} value={<Fitness of={locking} />} />
      <SectionRow title={t("connection.store.watcher")} value={<Watcher watcher={watcher} />} />
      <SectionRow
        title={t("connection.store.lookedAt")}
        value={
          watcher.looked_at === null ? (
            t("connection.store.noJobs")
          ) : (
            <Moment at={watcher.looked_at} />
          )
        }
      />
      <SectionRow title={t("connection.store.payouts")} value={<SwitchedOn payouts={payouts} />} />
      {watcher.silences.map(({ merchant_id, base_url, since, paused_until }) => (
        <SectionRow
          key={`${merchant_id} ${base_url}`}
          title={t("overview.machinery.silence", { address: base_url })}
          value={
            <span className="flex flex-wrap items-center gap-2">
              <StatusBadge color="red">
                <Moment at={since} />
              </StatusBadge>
              {paused_until !== null && new Date(paused_until) > new Date() && (
                <StatusBadge color="orange">
                  {t("connection.store.paused", { moment: moment(paused_until, "short") })}
                </StatusBadge>
              )}
            </span>
          }
        />
      ))}
    </Card>
  )
}

/** The options of payouts: whether they are switched on, for whom, and up to which sum. */
const SwitchedOn = ({ payouts }: Pick<ConnectionAnswer, "payouts">) => {
  const { t, money } = useFormat()
  const { enabled, approval, per_day, users } = payouts
  if (!enabled) {
    return <StatusBadge color="grey">{t("connection.store.payoutsOff")}</StatusBadge>
  }
  const said = { limit: money(String(per_day), "RUB", true), users: users.join(", ") }
  return (
    <span className="flex flex-col items-start gap-y-1">
      <StatusBadge color="green">{t("connection.store.payoutsOn")}</StatusBadge>
      <Text size="xsmall" className="text-ui-fg-subtle">
        {t(approval ? "connection.store.payoutsApproved" : "connection.store.payoutsOf", said)}
      </Text>
    </span>
  )
}

const Fitness = ({ of: { is_shared } }: { of: Shared }) => {
  const { t } = useFormat()
  return is_shared ? (
    <StatusBadge color="green">{t("connection.store.shared")}</StatusBadge>
  ) : (
    <span className="flex flex-col items-start gap-y-1">
      <StatusBadge color="orange">{t("connection.store.memory")}</StatusBadge>
      <Text size="xsmall" className="text-ui-fg-subtle">
        {t("connection.store.memoryNote")}
      </Text>
    </span>
  )
}

type SeenStatus = Pick<ConnectionAnswer["statuses"][number], "merchant_id" | "base_url" | "status">

/**
 * The statuses of payments at the service, and further ones of its latest list that no option names; each leads to what has it.
 */
export const StatusesCard = ({
  connection: { statuses, accounts, listed_statuses: listed },
}: {
  connection: ConnectionAnswer
}) => {
  const { t, ago } = useFormat()
  const paymentsAt = ({ merchant_id, base_url, status }: SeenStatus) => {
    const of = accounts.filter(
      (one) => isSame(one.merchant_id, merchant_id) && one.base_url === base_url
    )
    return transactionsAt(withStatus(status, of, accounts))
  }
  const shown = new Set(statuses.map(({ status }) => status))
  const onlyListed = listed?.statuses.filter(({ status }) => !shown.has(status)) ?? []
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <Heading level="h2">{t("connection.statuses.title")}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {t("connection.statuses.note")}
        </Text>
      </div>
      {statuses.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("connection.statuses.empty")}
        </Text>
      )}
      {statuses.map(({ count, meaning, ...of }) => (
        <Status
          key={`${of.merchant_id} ${of.base_url} ${of.status}`}
          status={of.status}
          count={count}
          meaning={meaning}
          to={paymentsAt(of)}
        />
      ))}
      {listed && onlyListed.length > 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("connection.statuses.listed", { ago: ago(listed.fetched_at) })}
        </Text>
      )}
      {onlyListed.map(({ status, count }) => (
        <Status
          key={`listed ${status}`}
          status={status}
          count={count}
          meaning="unknown"
          to={transactionsAt({ source: "service", status_name: [status] })}
        />
      ))}
    </Container>
  )
}

interface StatusProps {
  status: string
  meaning: keyof typeof MEANING_COLORS
  count: number
  to: string
}

const Status = ({ status, meaning, count, to }: StatusProps) => {
  const { t, number } = useFormat()
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-3">
      <Text size="small" leading="compact" weight="plus" className="break-all font-mono">
        <LinkTo to={to}>{status}</LinkTo>
      </Text>
      <span className="flex items-center gap-3">
        <Text size="small" leading="compact" className="text-ui-fg-subtle">
          {number(count)}
        </Text>
        <StatusBadge color={MEANING_COLORS[meaning]}>
          {t(`connection.statuses.meanings.${meaning}`)}
        </StatusBadge>
      </span>
    </div>
  )
}

/** Merchants and addresses of payments that can no longer be read. */
export const UnknownMerchantAccountsCard = ({
  places,
}: {
  places: ConnectionAnswer["unknown_places"]
}) => {
  const { t } = useFormat()
  if (!places.length) return null
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <Heading level="h2">{t("connection.unknownPlaces.title")}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {t("connection.unknownPlaces.note")}
        </Text>
      </div>
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
    </Container>
  )
}
