import { Hint, Input, Label, Select, Textarea } from "@medusajs/ui"

import type { Option, Text } from "../../lib/api"
import { useFormat } from "../../lib/format"
import { written } from "../../lib/settings"

interface OptionFieldProps {
  option: Option
  typed: string
  /** Why the route has refused what was typed. */
  wrong: Text | undefined
  onType: (typed: string) => void
}

const LINES = 3

/** The field of an option, with what may be entered below it, or what is to be corrected. */
export const OptionField = ({ option, typed, wrong, onType }: OptionFieldProps) => {
  const { t, text } = useFormat()
  const { name, kind, is_secret: isSecret } = option
  const id = `option-${name}`
  const field = {
    id,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": wrong !== undefined,
    value: typed,
    autoComplete: "off",
    placeholder: placeholderOf(option),
    onChange: ({ target }: { target: { value: string } }) => onType(target.value),
  }
  const label = (
    <Label htmlFor={id} size="small" weight="plus">
      {text(option.label)}
      {!option.is_required && (
        <span className="text-ui-fg-muted font-normal"> {t("settings.optional")}</span>
      )}
    </Label>
  )
  return (
    <div className="flex flex-col gap-y-2">
      {label}
      {kind === "list" || kind === "codes" ? (
        <Textarea {...field} rows={LINES} />
      ) : kind === "flag" || kind === "choice" ? (
        <Choice option={option} id={id} typed={typed} onType={onType} />
      ) : (
        <Input
          {...field}
          // The browser must not offer to keep a secret of the store.
          type={isSecret ? "password" : "text"}
          {...(isSecret ? { autoComplete: "new-password" } : {})}
          {...(isSecret && option.source === "stored"
            ? { placeholder: t("settings.typeToReplace") }
            : {})}
        />
      )}
      <Hint id={`${id}-hint`} variant={wrong ? "error" : "info"}>
        {wrong
          ? text(wrong)
          : `${text(option.help)[0]?.toUpperCase()}${text(option.help).slice(1)}`}
      </Hint>
    </div>
  )
}

function placeholderOf({ by_default, kind }: Option): string {
  if (kind === "text" && typeof by_default === "string") return by_default
  return kind === "number" && by_default !== null ? written({ value: by_default }) : ""
}

const Choice = ({
  option,
  id,
  typed,
  onType,
}: Omit<OptionFieldProps, "wrong"> & { id: string }) => {
  const { word } = useFormat()
  const choices = option.kind === "flag" ? ["true", "false"] : option.choices
  return (
    <Select value={typed || written({ value: option.by_default })} onValueChange={onType}>
      <Select.Trigger id={id} aria-describedby={`${id}-hint`}>
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {choices.map((choice) => (
          <Select.Item key={choice} value={choice}>
            {word("settings.values", choice)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}
