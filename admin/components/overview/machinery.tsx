import { StatusBadge } from "@medusajs/ui"

import type { OverviewAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Card, Rows } from "../cards"
import { LinkTo } from "../link-to"
import { ComparisonBadge } from "../reconciliation/comparison-badge"

type Machinery = OverviewAnswer["machinery"]

/** A watcher that leaves due work for this long is not running. */
const STUCK_MS = 5 * 60_000

/** Whether callbacks come, and the state of the background work. */
export const MachineryCard = ({ machinery }: { machinery: Machinery }) => {
  const { t } = useFormat()
  const { last_callback_at, watcher, comparison } = machinery
  return (
    <Card title={t("overview.machinery.title")} to="/settings/sbp-crypto?tab=connection">
      <Rows
        of={[
          [t("overview.machinery.lastCallback"), <Moment key="callback" at={last_callback_at} />],
          [t("overview.machinery.watcher"), <Watcher key="watcher" watcher={watcher} />],
          ...watcher.silences.map(({ base_url: address, since }) => {
            const silent = <Silent key="silent" since={since} />
            return [t("overview.machinery.silence", { address }), silent] as const
          }),
          [
            t("overview.machinery.comparison"),
            <LinkTo key="comparison" to="/payment-service/comparison">
              {comparison.last ? (
                <span className="flex flex-wrap items-center gap-2">
                  <ComparisonBadge state={comparison.last.state} />
                  <Moment at={comparison.last.started_at} />
                </span>
              ) : (
                t("overview.machinery.never")
              )}
            </LinkTo>,
          ],
        ]}
      />
    </Card>
  )
}

/** Since when the service has not answered. */
export const Silent = ({ since }: { since: string }) => (
  <StatusBadge color="red">
    <Moment at={since} />
  </StatusBadge>
)

/** Whether the watcher does the due work. */
export const Watcher = ({ watcher: { waiting_since: since } }: Pick<Machinery, "watcher">) => {
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

/** The time since a moment; its tooltip has the moment itself. */
export const Moment = ({ at }: { at: string | null }) => {
  const { t, ago, moment } = useFormat()
  return at === null ? (
    <>{t("overview.machinery.never")}</>
  ) : (
    <time dateTime={at} title={moment(at)}>
      {ago(at)}
    </time>
  )
}
