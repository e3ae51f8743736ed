import { SectionRow } from "@medusajs/dashboard/components"
import {
  Alert,
  Badge,
  Button,
  Container,
  Drawer,
  Heading,
  Text,
  toast,
  usePrompt,
} from "@medusajs/ui"
import { useState } from "react"

import type { AccountSettings, Option } from "../../lib/api"
import { useFormat } from "../../lib/format"
import { useErrorWords } from "../../lib/refusal"
import { type Changes, fieldsOf, useSaveSettings, valueOf, written } from "../../lib/settings"
import { ActionForm, ActionHeader } from "../action-form"
import { OptionField } from "./option-field"

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
  const [isOpen, setIsOpen] = useState(false)
  const options = account.options.filter((option) => option.section === section)
  const open = options.filter(({ is_locked, kind }) => !is_locked && kind !== null)
  if (!options.length) return null
  return (
    <Container className="divide-y p-0">
      <div className="flex items-center justify-between gap-3 px-6 py-4">
        <div>
          <Heading level="h2">{t(`settings.sections.${section}.title`)}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {t(`settings.sections.${section}.text`)}
          </Text>
        </div>
        {mayChange && open.length > 0 && (
          <Drawer open={isOpen} onOpenChange={setIsOpen}>
            <Drawer.Trigger asChild>
              <Button
                size="small"
                variant="secondary"
                className="shrink-0"
                aria-label={t("settings.editWhat", {
                  what: t(`settings.sections.${section}.title`),
                })}
              >
                {t("settings.edit")}
              </Button>
            </Drawer.Trigger>
            <Drawer.Content>
              <SectionForm
                account={account}
                section={section}
                options={open}
                canSeal={canSeal}
                close={() => setIsOpen(false)}
              />
            </Drawer.Content>
          </Drawer>
        )}
      </div>
      {options.map((option) => (
        <SectionRow
          key={option.name}
          title={text(option.label)}
          value={<Value option={option} />}
        />
      ))}
    </Container>
  )
}

const Value = ({ option }: { option: Option }) => {
  const { t, moment, word } = useFormat()
  const { source, is_secret, value, set_at, set_by, kind } = option
  const isWord = kind === "flag" || kind === "choice"
  const shown = is_secret
    ? source === "default"
      ? "–"
      : set_at === null
        ? t("settings.secretSet")
        : t("settings.secretSetBy", { name: set_by, at: moment(set_at, "short") })
    : isWord
      ? word("settings.values", written(option))
      : kind === null
        ? value && Object.keys(value).length
          ? Object.keys(value).join(", ")
          : "–"
        : written(option).replaceAll("\n", ", ") || "–"
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <span
        className={source === "default" ? "text-ui-fg-muted" : ""}
        style={{ overflowWrap: "anywhere" }}
      >
        {shown}
      </span>
      {source === "file" && <Badge size="2xsmall">{t("settings.inFile")}</Badge>}
    </span>
  )
}

/** Options that lead payers or files elsewhere: their hosts are shown before they are saved. */
const WITH_HOSTS = ["backendUrl", "successUrl", "failureUrl", "pendingUrl", "export.linkHosts"]

interface SectionFormProps {
  account: AccountSettings
  section: Section
  options: Option[]
  canSeal: boolean
  close: () => void
}

const SectionForm = ({ account, section, options, canSeal, close }: SectionFormProps) => {
  const { t } = useFormat()
  const words = useErrorWords()
  const prompt = usePrompt()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const { mutate, isPending, error } = useSaveSettings(account)
  const fields = fieldsOf(error)
  const textOf = (option: Option) =>
    typed[option.name] ?? (option.source === "stored" && !option.is_secret ? written(option) : "")
  const changed = options.filter((option) => typed[option.name] !== undefined)
  const save = async () => {
    const changes: Required<Changes> = { options: {}, secrets: {} }
    for (const option of changed) {
      const text = textOf(option)
      if (!option.is_secret) changes.options[option.name] = valueOf(option, text)
      else if (text.trim()) changes.secrets[option.name] = text.trim()
    }
    const hosts = hostsOf(changes.options)
    const asked = {
      confirmText: t("settings.save"),
      cancelText: t("actions.cancel"),
      variant: "confirmation" as const,
    }
    if (
      hosts.length &&
      !(await prompt({ ...asked, title: hosts.join(", "), description: t("settings.hosts") }))
    ) {
      return
    }
    const leads = ["baseUrl", "merchantId"].some((name) => name in changes.options)
    const orphaned = {
      title: t("settings.inFlightTitle"),
      description: t("settings.inFlight", { count: account.in_flight }),
    }
    if (leads && account.in_flight > 0 && !(await prompt({ ...asked, ...orphaned }))) return
    mutate(changes, {
      onSuccess: () => {
        toast.success(t("settings.saved"))
        close()
      },
    })
  }
  return (
    <ActionForm
      label={t("settings.save")}
      isBusy={isPending}
      isPossible={changed.length > 0}
      doIt={() => void save()}
    >
      <ActionHeader title={t(`settings.sections.${section}.title`)}>
        {t(`settings.sections.${section}.text`)}
      </ActionHeader>
      <Drawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
        {!canSeal && options.some(({ is_secret }) => is_secret) && (
          <Alert variant="warning">{t("settings.noKey")}</Alert>
        )}
        {options.map((option) => (
          <OptionField
            key={option.name}
            option={option}
            typed={textOf(option)}
            wrong={fields[option.name]}
            onType={(text) => setTyped((before) => ({ ...before, [option.name]: text }))}
          />
        ))}
        {error && (
          <Text size="small" className="text-ui-fg-error" role="alert">
            {words(error)}
          </Text>
        )}
      </Drawer.Body>
    </ActionForm>
  )
}

function hostsOf(options: Record<string, unknown>): string[] {
  const values = WITH_HOSTS.flatMap((name) => (options[name] ?? []) as string | string[])
  const hosts = values.map((value) => {
    const address = value.replace(/\{\w+\}/g, "x")
    return URL.canParse(address) ? new URL(address).host : value
  })
  return [...new Set(hosts)]
}
