import { RouteDrawer } from "@medusajs/dashboard/components"
import { CheckCircleSolid, ExclamationCircleSolid, Spinner } from "@medusajs/icons"
import { Badge, Button, Heading, Label, RadioGroup, Text } from "@medusajs/ui"
import { useState } from "react"
import { useSearchParams } from "react-router-dom"

import { lastDayBefore } from "../../lib/address"
import { useFormat } from "../../lib/format"
import { isMidnightIn, spanOf } from "../../lib/period"
import { useMay } from "../../lib/permissions"
import { Line, Subtle } from "../cards"
import { ChoiceBox } from "../forms"
import { Action, ActionLink } from "../link-to"
import { BrokenDownload, type Progress, useDownload } from "./download"

/** Leads to the export of a list with its filters, for readers who may export. */
export const ExportLink = () => {
  const { t } = useFormat()
  const [params] = useSearchParams()
  if (!useMay("export")) return null
  return (
    <ActionLink to={{ pathname: "export", search: params.toString() }}>
      {t("exports.action")}
    </ActionLink>
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

interface ExportDrawerProps {
  title: string
  asked: ExportQuery
  /** The dates of a period in the form of the route; they replace those of the list. */
  datesOf: (span: ReturnType<typeof spanOf>) => Record<string, unknown>
}

/** Exports the list below it: chooses the format, and shows the content and the progress. */
export const ExportDrawer = ({ title, asked, datesOf }: ExportDrawerProps) => {
  const { file, source } = asked
  const { t, language } = useFormat()
  const [format, setFormat] = useState<Format>("xlsx")
  const [period, setPeriod] = useState<ExportPeriod>("as_listed")
  const { progress, start, cancel } = useDownload()
  const isRunning = progress.state === "running"
  const zone = asked.query.time_zone as string | undefined
  const dates = period === "as_listed" ? {} : datesOf(spanOf(period, zone))
  const query = { ...asked.query, ...dates, locale: language }
  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <RouteDrawer.Title asChild>
          <Heading>{title}</Heading>
        </RouteDrawer.Title>
        <RouteDrawer.Description className="txt-small text-ui-fg-subtle">
          {t("exports.description")}
        </RouteDrawer.Description>
      </RouteDrawer.Header>
      <RouteDrawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
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
      </RouteDrawer.Body>
      <RouteDrawer.Footer>
        {isRunning ? (
          <Action onClick={cancel}>{t("exports.cancel")}</Action>
        ) : (
          <>
            <RouteDrawer.Close asChild>
              <Action>{t("exports.close")}</Action>
            </RouteDrawer.Close>
            <Button size="small" onClick={() => void start(`exports/${file}.${format}`, query)}>
              {t("exports.download")}
            </Button>
          </>
        )}
      </RouteDrawer.Footer>
    </RouteDrawer>
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
      {progress.state === "canceled" && <Text size="small">{t("exports.canceled")}</Text>}
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
