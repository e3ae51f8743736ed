import { SectionRow } from "@medusajs/dashboard/components"
import { StatusBadge } from "@medusajs/ui"

import type { OverviewAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Ago, Card, Fields } from "../cards"
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
      <Fields
        of={{
          "overview.machinery.lastCallback": <Ago at={last_callback_at} />,
          "overview.machinery.watcher": <Watcher watcher={watcher} />,
          "overview.machinery.comparison": (
            <LinkTo to="/payment-service/comparison">
              <span className="flex flex-wrap items-center gap-2">
                {comparison.last && <ComparisonBadge state={comparison.last.state} />}
                <Ago at={comparison.last?.started_at ?? null} />
              </span>
            </LinkTo>
          ),
        }}
      />
      {watcher.silences.map(({ base_url: address, since }) => (
        <SectionRow
          key={address}
          title={t("overview.machinery.silence", { address })}
          value={<Silent since={since} />}
        />
      ))}
    </Card>
  )
}

/** Since when the service has not answered. */
export const Silent = ({ since }: { since: string }) => (
  <StatusBadge color="red">
    <Ago at={since} />
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
