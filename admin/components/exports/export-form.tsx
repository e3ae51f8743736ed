import { CheckCircleSolid, ExclamationCircleSolid, Spinner } from "@medusajs/icons"
import { Badge, Drawer, Label, RadioGroup, Text } from "@medusajs/ui"
import { type ReactNode, useState } from "react"

import { lastDayBefore } from "../../lib/address"
import { useFormat } from "../../lib/format"
import { isMidnightIn, spanOf } from "../../lib/period"
import { useMay } from "../../lib/permissions"
import { Line, Subtle } from "../cards"
import { ActionForm, ChoiceBox } from "../forms"
import { Action } from "../link-to"
import { BrokenDownload, type Progress, useDownload } from "./download"

interface ExportButtonProps {
  /** The drawer's content, which knows the list's filters. */
  children: ReactNode
}

/** Opens the export of a list with its filters, for readers who may export. */
export const ExportButton = ({ children }: ExportButtonProps) => {
  const { t } = useFormat()
  if (!useMay("export")) return null
  return (
    <Drawer>
      <Drawer.Trigger asChild>
        <Action>{t("exports.action")}</Action>
      </Drawer.Trigger>
      <Drawer.Content>{children}</Drawer.Content>
    </Drawer>
  )
}

/** The exported part of a list. */
interface ExportQuery {
  /** The file's name in the address, without its format. */
  file: "transactions" | "payouts"
  source: "store" | "service" | "payouts"
  query: Record<string, unknown>
}

const FORMATS = ["csv", "xlsx", "json"] as const
type Format = (typeof FORMATS)[number]
const PERIODS = ["as_listed", "this_month", "last_month"] as const
type ExportPeriod = (typeof PERIODS)[number]

interface ExportFormProps {
  title: string
  asked: ExportQuery
  /** The dates of a period in the form of the route; they replace those of the list. */
  datesOf: (span: ReturnType<typeof spanOf>) => Record<string, unknown>
}

/** Exports a list: chooses the format, and shows the content and the progress. Closing the drawer cancels it. */
export const ExportForm = ({ title, asked, datesOf }: ExportFormProps) => {
  const { file, source } = asked
  const { t, language } = useFormat()
  const [format, setFormat] = useState<Format>("xlsx")
  const [period, setPeriod] = useState<ExportPeriod>("as_listed")
  const { progress, start } = useDownload()
  const isRunning = progress.state === "running"
  const zone = asked.query.time_zone as string | undefined
  const dates = period === "as_listed" ? {} : datesOf(spanOf(period, zone))
  const query = { ...asked.query, ...dates, locale: language }
  return (
    <ActionForm
      title={title}
      description={t("exports.description")}
      label={t("exports.download")}
      closeLabel={t(isRunning ? "exports.cancel" : "exports.close")}
      isBusy={isRunning}
      isPossible
      doIt={() => void start(`exports/${file}.${format}`, query)}
    >
      <section className="flex flex-col gap-y-2">
        <Line weight="plus">{t(`exports.of.${source}`)}</Line>
        <Filters source={source} query={query} />
      </section>
      <RadioGroup
        value={period}
        onValueChange={(value) => setPeriod(value as ExportPeriod)}
        disabled={isRunning}
        aria-label={t("fields.period")}
        className="flex flex-wrap gap-x-4"
      >
        {PERIODS.map((one) => (
          <div key={one} className="flex items-center gap-x-2">
            <RadioGroup.Item value={one} id={`export-${one}`} />
            <Label htmlFor={`export-${one}`} size="small">
              {t(one === "as_listed" ? "exports.asListed" : `periods.${one}`)}
            </Label>
          </div>
        ))}
      </RadioGroup>
      <RadioGroup
        value={format}
        onValueChange={(value) => setFormat(value as Format)}
        disabled={isRunning}
        aria-label={t("exports.format")}
      >
        {FORMATS.map((one) => (
          <ChoiceBox
            key={one}
            value={one}
            label={t(`exports.formats.${one}.name`)}
            description={t(`exports.formats.${one}.${one === "json" ? source : "description"}`)}
          />
        ))}
      </RadioGroup>
      <ProgressLine progress={progress} />
    </ActionForm>
  )
}

const ProgressLine = ({ progress }: { progress: Progress }) => {
  const { t, bytes, reasonOf } = useFormat()
  return (
    <div role="status" className="flex items-start gap-x-2">
      {progress.state === "running" && (
        <>
          <Spinner className="text-ui-fg-interactive animate-spin" />
          <Text size="small">{t("exports.running", { size: bytes(progress.bytes) })}</Text>
        </>
      )}
      {progress.state === "finished" && (
        <>
          <CheckCircleSolid className="text-ui-tag-green-icon shrink-0" />
          <Text size="small" className="break-all">
            {t("exports.finished", { name: progress.name, size: bytes(progress.bytes) })}
          </Text>
        </>
      )}
      {progress.state === "failed" && (
        <>
          <ExclamationCircleSolid className="text-ui-tag-red-icon shrink-0" />
          <Text size="small" className="text-ui-fg-error">
            {t("exports.failed")}{" "}
            {!(progress.error instanceof BrokenDownload) && reasonOf(progress.error)}
          </Text>
        </>
      )}
    </div>
  )
}

/** The filters of an export in words. */
const Filters = (asked: Pick<ExportQuery, "source" | "query">) => {
  const { t } = useFormat()
  const words = useFilterWords(asked)
  if (!words.length) return <Subtle>{t("exports.everything")}</Subtle>
  return (
    <ul className="flex flex-wrap gap-2">
      {words.map(([name, value]) => (
        <li key={name}>
          <Badge size="2xsmall" className="h-auto break-all">
            {name}: {value}
          </Badge>
        </li>
      ))}
    </ul>
  )
}

/** The texts for the names of filters, and the groups of texts for their codes; `payout` is a payout's state. */
const FILTERS: Partial<Record<string, [name: string, words?: string]>> = {
  q: ["exports.search"],
  state: ["fields.state", "states"],
  payout: ["fields.state", "payout.states"],
  standing: ["fields.standing", "standings"],
  exception: ["fields.exception", "exceptions"],
  status: ["fields.status"],
  status_name: ["transactions.statusInList"],
  method: ["fields.method", "methods"],
  account: ["fields.account"],
  known: ["transactions.inStore", "exports.known"],
}

/** Filters that are dates or say how the file is written. */
const OTHERS = ["from", "to", "paid_from", "paid_to", "created_at", "time_zone", "locale", "source"]

/** Writes the filters of an export, which have the form of the routes, in the order in which they were given after the dates. */
function useFilterWords({ source, query }: Pick<ExportQuery, "source" | "query">) {
  const { t, word, day, minute } = useFormat()
  const { gte, lt } = (query.created_at ?? {}) as Dates
  const { from, to, paid_from, paid_to, time_zone: zone } = query as Dates
  const first = (moment = "") => moment && day(moment, zone)
  const last = (end = "") => end && day(lastDayBefore(end), zone)
  const span = (begin = "", end = "") =>
    isMidnightIn(zone, begin) && isMidnightIn(zone, end)
      ? `${first(begin)} – ${last(end)}`
      : `${minute(begin, zone)} – ${minute(end, zone)}`
  const dates =
    source === "service"
      ? [[t("fields.period"), span(from, to)] as const]
      : ([
          [t("exports.since"), first(from)],
          [t("exports.until"), last(to)],
          [t("exports.paidSince"), first(paid_from)],
          [t("exports.paidUntil"), last(paid_to)],
          [t("payout.export.since"), first(gte)],
          [t("payout.export.until"), last(lt)],
        ] as const)
  const others = Object.entries(query).filter(([id]) => !OTHERS.includes(id))
  return [
    ...dates,
    ...others.map(([id, value]) => {
      const [name, group] = FILTERS[source === "payouts" && id === "state" ? "payout" : id] ?? [id]
      const codes = [value].flat().map(String)
      const words = codes.map((code) => (group ? word(group, code) : code)).join(", ")
      return [t(name, { defaultValue: id }), words] as const
    }),
  ].filter(([, words]) => words)
}

type Dates = Partial<
  Record<"from" | "to" | "paid_from" | "paid_to" | "gte" | "lt" | "time_zone", string>
>
