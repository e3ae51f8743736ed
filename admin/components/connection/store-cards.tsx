import { SectionRow } from "@medusajs/dashboard/components"
import { StatusBadge } from "@medusajs/ui"

import { transactionsAt } from "../../lib/address"
import type { ConnectionAnswer, Shared } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { isSame, withStatus } from "../../lib/problems/related-page"
import { Ago, Card, Fields, Line, Note, State } from "../cards"
import { Id, LinkTo } from "../link-to"
import { MEANING_COLORS } from "../payments/service-list"

/** Our payment providers in each region; the region's own page changes them. */
export const RegionsCard = ({ regions }: Pick<ConnectionAnswer, "regions">) => {
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
export const StoreCard = ({ connection }: { connection: ConnectionAnswer }) => {
  const { t } = useFormat()
  const { event_bus, locking, watcher, payouts } = connection
  const { looked_at: lookedAt, silences } = watcher
  return (
    <Card title={t("connection.store.title")}>
      <Fields
        of={{
          "connection.store.eventBus": <Fitness of={event_bus} />,
          "connection.store.locking": <Fitness of={locking} />,
          "connection.store.watcher": <Watcher watcher={watcher} />,
          "connection.store.lookedAt":
            lookedAt === null ? t("connection.store.noJobs") : <Ago at={lookedAt} />,
          "connection.store.payouts": <SwitchedOn payouts={payouts} />,
        }}
      />
      {silences.map(({ merchant_id, base_url: address, since }) => (
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

/** Whether the watcher does the due work. */
const Watcher = ({ watcher: { waiting_since: since } }: Pick<ConnectionAnswer, "watcher">) => {
  const { t, ago } = useFormat()
  const isStuck = since !== null && Date.now() - Date.parse(since) > STUCK_MS
  return (
    <StatusBadge color={isStuck ? "red" : "green"}>
      {isStuck
        ? t("overview.machinery.stuck", { ago: ago(since) })
        : t("overview.machinery.running")}
    </StatusBadge>
  )
}

/** The options of payouts: whether they are switched on, for whom, and up to which sum. */
const SwitchedOn = ({ payouts }: Pick<ConnectionAnswer, "payouts">) => {
  const { t, money } = useFormat()
  const { enabled, approval, per_day, users } = payouts
  if (!enabled) return <State color="grey">{t("connection.store.payoutsOff")}</State>
  const said = { limit: money(String(per_day), "RUB"), users: users.join(", ") }
  return (
    <State
      color="green"
      note={t(approval ? "connection.store.payoutsApproved" : "connection.store.payoutsOf", said)}
    >
      {t("connection.store.payoutsOn")}
    </State>
  )
}

const Fitness = ({ of: { is_shared } }: { of: Shared }) => {
  const { t } = useFormat()
  if (is_shared) return <State color="green">{t("connection.store.shared")}</State>
  return (
    <State color="orange" note={t("connection.store.memoryNote")}>
      {t("connection.store.memory")}
    </State>
  )
}

type SeenStatus = Pick<ConnectionAnswer["statuses"][number], "merchant_id" | "base_url" | "status">

/** The statuses of payments at the service; each leads to what has it. */
export const StatusesCard = ({ connection }: { connection: ConnectionAnswer }) => {
  const { t, number } = useFormat()
  const { statuses, accounts } = connection
  const paymentsAt = ({ merchant_id, base_url, status }: SeenStatus) => {
    const of = accounts.filter(
      (one) => isSame(one.merchant_id, merchant_id) && one.base_url === base_url
    )
    return transactionsAt(withStatus(status, of, accounts))
  }
  return (
    <Card title={t("connection.statuses.title")} note={t("connection.statuses.note")}>
      {statuses.length === 0 && <Note>{t("connection.statuses.empty")}</Note>}
      {statuses.map(({ count, meaning, ...of }) => (
        <div
          key={`${of.merchant_id} ${of.base_url} ${of.status}`}
          className="flex flex-wrap items-center justify-between gap-2 px-6 py-3"
        >
          <Line weight="plus" className="break-all font-mono">
            <LinkTo to={paymentsAt(of)}>{of.status}</LinkTo>
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
export const UnknownAccountsCard = ({ places }: { places: ConnectionAnswer["unknown_places"] }) => {
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
