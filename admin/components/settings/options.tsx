import { SectionRow } from "@medusajs/dashboard/components"
import { Alert, Badge, Input, Textarea, toast } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import { z } from "zod"

import type { AccountSettings, Option, Reads } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { type Acting, postForm, reading, useAction, useConfirm } from "../../lib/sdk"
import { Card } from "../cards"
import { ActionForm, Choice, Field, useChecked, useDrawer } from "../forms"
import { Action } from "../link-to"

export type Section = Option["section"]

interface SectionCardProps {
  account: AccountSettings
  section: Section
  mayChange: boolean
  canSeal: boolean
}

/** A part of an account's options with their values, and a form for those that the file leaves open. */
export const SectionCard = ({ account, section, mayChange, canSeal }: SectionCardProps) => {
  const { t, text } = useFormat()
  const options = account.options.filter((option) => option.section === section)
  const unlocked = options.filter(({ is_locked, kind }) => !is_locked && kind !== null)
  const title = t(`settings.sections.${section}.title`)
  const description = t(`settings.sections.${section}.text`)
  const { open, drawer } = useDrawer<Option[]>((chosen, close) => (
    <SectionForm {...{ title, description, account, canSeal, close }} options={chosen} />
  ))
  if (!options.length) return null
  return (
    <Card
      title={title}
      note={description}
      action={
        mayChange &&
        unlocked.length > 0 && (
          <Action
            className="shrink-0"
            aria-label={t("settings.editWhat", { what: title })}
            onClick={() => open(unlocked)}
          >
            {t("settings.edit")}
          </Action>
        )
      }
    >
      {options.map((one) => (
        <SectionRow key={one.name} title={text(one.label)} value={<Value option={one} />} />
      ))}
      {drawer}
    </Card>
  )
}

const Value = ({ option }: { option: Option }) => {
  const { t, moment, word } = useFormat()
  const { source, is_secret, value, set_at, set_by, kind } = option
  const of = { name: set_by, at: moment(set_at, "short") }
  const secret = set_at === null ? t("settings.secretSet") : t("settings.secretSetBy", of)
  const isWord = kind === "flag" || kind === "choice"
  const plain = kind === null ? Object.keys(value ?? {}).join("\n") : written({ value })
  const shown = isWord ? word("settings.values", plain) : plain.replaceAll("\n", ", ")
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <span
        className={source === "default" ? "text-ui-fg-muted" : ""}
        style={{ overflowWrap: "anywhere" }}
      >
        {(is_secret ? source !== "default" && secret : shown) || "–"}
      </span>
      {source === "file" && <Badge size="2xsmall">{t("settings.inFile")}</Badge>}
      {source === "shared" && <Badge size="2xsmall">{t("settings.ofAll")}</Badge>}
    </span>
  )
}

interface SectionFormProps extends Pick<SectionCardProps, "account" | "canSeal"> {
  title: string
  description: string
  options: Option[]
  close: () => void
}

const SectionForm = ({ account, options, canSeal, close, ...said }: SectionFormProps) => {
  const { t, text } = useFormat()
  const confirm = useConfirm()
  const given = Object.fromEntries(
    options.map((option) => {
      const isShown = option.source === "stored" && !option.is_secret
      return [fieldOf(option.name), isShown ? written(option) : ""]
    })
  )
  // The route judges what was typed, and says what is wrong with each option.
  const form = useChecked(z.record(z.string(), z.string()), given)
  const { act, isPending, error } = useSaveSettings(account, {
    done: close,
    refused: (fields) => {
      for (const [name, reason] of Object.entries(fields)) {
        form.setError(fieldOf(name), { message: text(reason) })
      }
    },
  })
  const save = async (typed: typeof given) => {
    const changes: Required<Changes> = { options: {}, secrets: {} }
    const isChanged = ({ name }: Option) => typed[fieldOf(name)] !== given[fieldOf(name)]
    const changed = options.filter(isChanged)
    if (!changed.length) return close()
    for (const option of changed) {
      const text = typed[fieldOf(option.name)]?.trim() ?? ""
      if (!option.is_secret) changes.options[option.name] = valueOf(option, text)
      else if (text) changes.secrets[option.name] = text
    }
    const label = t("settings.save")
    const leading = changed.filter(({ has_host }) => has_host)
    const title = hostsOf(leading.map(({ name }) => changes.options[name])).join(", ")
    if (title && !(await confirm({ label, title, description: t("settings.hosts") }))) return
    const leads = ["baseUrl", "merchantId"].some((name) => name in changes.options)
    const count = leads ? await inFlightNow(account) : 0
    const [inFlight, description] = [t("settings.inFlightTitle"), t("settings.inFlight", { count })]
    if (count > 0 && !(await confirm({ label, title: inFlight, description }))) return
    act(changes)
  }
  return (
    <ActionForm
      {...said}
      label={t("settings.save")}
      // It may ask the store and the admin before it saves.
      isBusy={isPending || form.formState.isSubmitting}
      error={error}
      form={form}
      onSubmit={save}
    >
      {!canSeal && options.some(({ is_secret }) => is_secret) && (
        <Alert variant="warning">{t("settings.noKey")}</Alert>
      )}
      {options.map((option) => (
        <OptionField key={option.name} option={option} />
      ))}
    </ActionForm>
  )
}

/** The field of an option by that name, in which a point would make it a part of another value. */
const fieldOf = (name: string): string => name.replaceAll(".", "-")

function hostsOf(values: unknown[]): string[] {
  const hosts = values
    .flatMap((value) => (value ?? []) as string | string[])
    .map((value) => {
      const address = value.replace(/\{\w+\}/g, "x")
      return URL.canParse(address) ? new URL(address).host : value
    })
  return [...new Set(hosts)]
}

/** The field of an option, with what may be entered below it. */
const OptionField = ({ option }: { option: Option }) => {
  const { t, text, word } = useFormat()
  const { name, kind, source, is_secret: isSecret, by_default: value } = option
  const help = text(option.help)
  const field = { autoComplete: "off", placeholder: placeholderOf(option) }
  // The browser must not offer to keep a secret of the store.
  const secret = isSecret && {
    type: "password",
    autoComplete: "new-password",
    ...(source === "stored" && { placeholder: t("settings.typeToReplace") }),
  }
  return (
    <Field
      name={fieldOf(name)}
      label={text(option.label)}
      aside={source === "shared" ? t("settings.ofAll") : !option.is_required && t("optional")}
      hint={`${help[0]?.toUpperCase()}${help.slice(1)}`}
    >
      {(typed) =>
        kind === "list" || kind === "codes" ? (
          <Textarea {...field} {...typed} rows={3} />
        ) : kind === "flag" || kind === "choice" ? (
          <Choice
            value={typed.value || written({ value })}
            options={kind === "flag" ? ["true", "false"] : option.choices}
            nameOf={(choice) => word("settings.values", choice)}
            onChoose={typed.onChange}
          />
        ) : (
          <Input {...field} {...secret} {...typed} />
        )
      }
    </Field>
  )
}

function placeholderOf({ by_default: value, kind }: Option): string {
  if (kind === "text" && typeof value === "string") return value
  return kind === "number" ? written({ value }) : ""
}

export const SETTINGS = reading("settings")

/** The payments of an account that are not final: shoppers go on while the page is open, so it is asked anew. */
async function inFlightNow({ account, in_flight: known }: AccountSettings): Promise<number> {
  const answer = await SETTINGS.queryFn().catch(() => null)
  return answer?.accounts.find((one) => one.account === account)?.in_flight ?? known
}

interface Changes {
  options?: Record<string, unknown>
  secrets?: Record<string, string>
}

type Saving = Pick<Acting<Changes, Reads["settings"]>, "done" | "failed" | "refused">

/** Saves what is set for an account, with what was set before. */
export function useSaveSettings(account: AccountSettings, { done, ...saving }: Saving) {
  const { t } = useFormat()
  const client = useQueryClient()
  const { version, options: before } = account
  const stored = before.filter(({ source, is_secret }) => source === "stored" && !is_secret)
  return useAction({
    run: ({ options: changed = {}, secrets = {} }: Changes) => {
      const kept = Object.fromEntries(stored.map(({ name, value }) => [name, value]))
      const set = Object.entries({ ...kept, ...changed }).filter(([, value]) => value !== null)
      const options = Object.fromEntries(set)
      const body = { account: account.account, version, options, secrets }
      return postForm<Reads["settings"]>("settings", body)
    },
    done: (answer) => {
      client.setQueryData(SETTINGS.queryKey, answer)
      toast.success(t("settings.saved"))
      done?.(answer)
    },
    ...saving,
    readAgain: ["connection", "subscriptions"],
  })
}

function written({ value }: Pick<Option, "value">): string {
  if (value === null) return ""
  if (Array.isArray(value)) return value.join("\n")
  if (typeof value !== "object") return String(value)
  return Object.entries(value)
    .map(([label, code]) => `${label} = ${code}`)
    .join("\n")
}

/** The value of what was typed; null for an empty field, which sets nothing. What makes no sense is refused by the route. */
function valueOf({ kind }: Pick<Option, "kind">, text: string): unknown {
  if (text === "") return null
  const lines = text.split("\n").flatMap((line) => line.trim() || [])
  switch (kind) {
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text)
    case "flag":
      return text === "true"
    case "list":
      return lines
    case "codes":
      return Object.fromEntries(
        lines.map((line) => {
          const [label = "", code = ""] = line.split(/\s*=\s*/, 2)
          return [label, code]
        })
      )
    default:
      return text
  }
}
