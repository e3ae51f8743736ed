import { Drawer, Label, RadioGroup, Text } from "@medusajs/ui"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useEffect, useRef } from "react"
import { z } from "zod"

import { useFormat } from "../../lib/format"
import { spanOf } from "../../lib/period"
import { call, useMay } from "../../lib/sdk"
import { Line } from "../cards"
import { ActionForm, ChoiceBoxes, Field, useChecked } from "../forms"
import { Action } from "../link-to"

/** Opens the export of a list with its filters, for readers who may export. */
export const ExportButton = ({ children }: { children: ReactNode }) => {
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

const PERIODS = ["as_listed", "this_month", "last_month"] as const
const FORMATS = ["csv", "xlsx", "json"] as const
const CHOSEN = z.object({ period: z.enum(PERIODS), format: z.enum(FORMATS) })

interface ExportFormProps {
  title: string
  source: "store" | "service" | "payouts"
  query: object
  /** The dates of a period in the form of the route; they replace those of the list. */
  datesOf: (span: ReturnType<typeof spanOf>) => object
}

/** Exports what a list finds, in a format and, if chosen, of a month. Closing the drawer cancels it. */
export const ExportForm = ({ title, source, query, datesOf }: ExportFormProps) => {
  const { t, language, reasonOf } = useFormat()
  const { mutate, isPending, data: name, error } = useDownload()
  const form = useChecked(CHOSEN, { period: "as_listed", format: "xlsx" })
  const download = ({ period, format }: z.infer<typeof CHOSEN>) => {
    const path = `exports/${source === "payouts" ? "payouts" : "transactions"}.${format}`
    const dates = period === "as_listed" ? {} : datesOf(spanOf(period))
    mutate({ path, query: { ...query, ...dates, locale: language } })
  }
  return (
    <ActionForm
      title={title}
      description={t("exports.description")}
      label={t("exports.download")}
      closeLabel={t(isPending ? "exports.cancel" : "exports.close")}
      isBusy={isPending}
      form={form}
      onSubmit={download}
    >
      <Line weight="plus">{t(`exports.of.${source}`)}</Line>
      <Field name="period" label={t("fields.period")}>
        {({ value, onChange }) => (
          <RadioGroup
            value={value}
            onValueChange={onChange}
            disabled={isPending}
            className="flex flex-wrap gap-x-4"
          >
            {PERIODS.map((one) => (
              <Label key={one} size="small" className="flex items-center gap-x-2">
                <RadioGroup.Item value={one} />
                {t(one === "as_listed" ? "exports.asListed" : `periods.${one}`)}
              </Label>
            ))}
          </RadioGroup>
        )}
      </Field>
      <ChoiceBoxes
        name="format"
        label={t("exports.format")}
        disabled={isPending}
        options={FORMATS.map((one) => ({
          value: one,
          label: t(`exports.formats.${one}.name`),
          description: t(`exports.formats.${one}.${one === "json" ? source : "description"}`),
        }))}
      />
      <Text size="small" role="status" className="break-all">
        {isPending ? t("exports.running") : name && t("exports.finished", { name })}
      </Text>
      {error && (
        <Text size="small" role="alert" className="text-ui-fg-error">
          {t("exports.failed")} {!(error instanceof TypeError) && reasonOf(error)}
        </Text>
      )}
    </ActionForm>
  )
}

/** Saves a file of the plugin's routes, one at a time; a download ends with its page. Its answer is the file's name. */
function useDownload() {
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  return useMutation({
    mutationFn: async ({ path, query }: { path: string; query: object }) => {
      const { signal } = (controller.current = new AbortController())
      // The query may have what was searched for, and addresses are logged.
      const file = { method: "POST", body: { ...query }, headers: { accept: "*/*" }, signal }
      const response = await call<Response>(path, file)
      const header = response.headers.get("content-disposition") ?? ""
      const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(header) ?? []
      const name = encoded ? decodeURIComponent(encoded) : path.replace(/^.*\//, "")
      save(name, await response.blob())
      return name
    },
  })
}

function save(name: string, blob: Blob): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser begins to read it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
