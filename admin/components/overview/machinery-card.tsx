import { SectionRow } from "@medusajs/dashboard/components"
import { Container, StatusBadge } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import type { OverviewAnswer } from "../../lib/api"
import { ComparisonBadge } from "../comparison/state"
import { LinkTo } from "../link-to"
import { CardHeading } from "./figure"

/** A watcher that leaves due work for this long is not running. */
const STUCK_MS = 5 * 60_000

/** Whether callbacks come, and the state of the background work. */
export const MachineryCard = ({ machinery }: { machinery: OverviewAnswer["machinery"] }) => {
  const { t } = useFormat()
  const { last_callback_at, watcher, comparison } = machinery
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <CardHeading to="/payment-service/connection">{t("overview.machinery.title")}</CardHeading>
      </div>
      <SectionRow
        title={t("overview.machinery.lastCallback")}
        value={<Moment at={last_callback_at} />}
      />
      <SectionRow title={t("overview.machinery.watcher")} value={<Watcher watcher={watcher} />} />
      {watcher.silences.map(({ merchant_id, base_url, since }) => (
        <SectionRow
          key={`${merchant_id} ${base_url}`}
          title={t("overview.machinery.silence", { address: base_url })}
          value={
            <StatusBadge color="red">
              <Moment at={since} />
            </StatusBadge>
          }
        />
      ))}
      <SectionRow
        title={t("overview.machinery.comparison")}
        value={
          comparison.last ? (
            <LinkTo to="/payment-service/comparison">
              <span className="flex flex-wrap items-center gap-2">
                <ComparisonBadge state={comparison.last.state} />
                <Moment at={comparison.last.started_at} />
              </span>
            </LinkTo>
          ) : (
            <LinkTo to="/payment-service/comparison">{t("overview.machinery.never")}</LinkTo>
          )
        }
      />
    </Container>
  )
}

/** Whether the watcher does the due work. */
export const Watcher = ({ watcher }: { watcher: OverviewAnswer["machinery"]["watcher"] }) => {
  const { t, ago } = useFormat()
  const since = watcher.waiting_since
  const isStuck = since !== null && Date.now() - new Date(since).getTime() > STUCK_MS
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
