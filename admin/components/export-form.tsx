import { RouteDrawer } from "@medusajs/dashboard/components"
import { CheckCircleSolid, ExclamationCircleSolid, Spinner } from "@medusajs/icons"
import { Button, RadioGroup, Text } from "@medusajs/ui"
import { useState } from "react"

import { BrokenDownload } from "../lib/download"
import type { ExportQuery } from "../lib/export-query"
import { useFormat } from "../lib/format"
import { useErrorWords } from "../lib/refusal"
import { type Progress, useDownload } from "../lib/use-download"
import { ChoiceBox } from "./choice-box"
import { ExportFilters } from "./export-filters"

const FORMATS = ["csv", "xlsx", "json"] as const
type Format = (typeof FORMATS)[number]

/** Chooses the format of an export, and shows its content and progress. */
export const ExportForm = ({ asked }: { asked: ExportQuery }) => {
  const { t } = useFormat()
  const [format, setFormat] = useState<Format>("csv")
  const { progress, start, cancel } = useDownload()
  const isRunning = progress.state === "running"
  return (
    <>
      <RouteDrawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
        <Asked asked={asked} />
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
              description={t(
                one === "json"
                  ? `exports.formats.json.${asked.source}`
                  : `exports.formats.${one}.description`
              )}
            />
          ))}
        </RadioGroup>
        <ProgressLine progress={progress} />
      </RouteDrawer.Body>
      <RouteDrawer.Footer>
        {isRunning ? (
          <Button size="small" variant="secondary" onClick={cancel}>
            {t("exports.cancel")}
          </Button>
        ) : (
          <>
            <RouteDrawer.Close asChild>
              <Button size="small" variant="secondary">
                {t("exports.close")}
              </Button>
            </RouteDrawer.Close>
            <Button
              size="small"
              onClick={() => void start(`exports/${asked.file}.${format}`, asked.query)}
            >
              {t("exports.download")}
            </Button>
          </>
        )}
      </RouteDrawer.Footer>
    </>
  )
}

const Asked = ({ asked: { source, query } }: { asked: ExportQuery }) => {
  const { t } = useFormat()
  return (
    <section className="flex flex-col gap-y-2">
      <Text size="small" weight="plus" leading="compact">
        {t(`exports.of.${source}`)}
      </Text>
      <ExportFilters source={source} filters={query} />
    </section>
  )
}

const ProgressLine = ({ progress }: { progress: Progress }) => {
  const { t, language } = useFormat()
  const words = useErrorWords()
  const size = (bytes: number) => {
    const isSmall = bytes < 1_000_000
    return new Intl.NumberFormat(language, {
      style: "unit",
      unit: isSmall ? "kilobyte" : "megabyte",
      maximumFractionDigits: 1,
    }).format(bytes / (isSmall ? 1_000 : 1_000_000))
  }
  return (
    <div role="status" className="flex items-start gap-x-2">
      {progress.state === "running" && (
        <>
          <Spinner className="text-ui-fg-interactive animate-spin" />
          <Text size="small">{t("exports.running", { size: size(progress.bytes) })}</Text>
        </>
      )}
      {progress.state === "finished" && (
        <>
          <CheckCircleSolid className="text-ui-tag-green-icon shrink-0" />
          <Text size="small" className="break-all">
            {t("exports.finished", { name: progress.name, size: size(progress.bytes) })}
          </Text>
        </>
      )}
      {progress.state === "canceled" && <Text size="small">{t("exports.canceled")}</Text>}
      {progress.state === "failed" && (
        <>
          <ExclamationCircleSolid className="text-ui-tag-red-icon shrink-0" />
          <Text size="small" className="text-ui-fg-error">
            {t("exports.failed")}{" "}
            {!(progress.error instanceof BrokenDownload) && words(progress.error)}
          </Text>
        </>
      )}
    </div>
  )
}
