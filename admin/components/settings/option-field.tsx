import { Input, Textarea } from "@medusajs/ui"

import type { Option, Text as Texts } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Choice, Field } from "../forms"
import { written } from "./options"

interface OptionFieldProps {
  option: Option
  typed: string
  /** Why the route has refused what was typed. */
  wrong: Texts | undefined
  onType: (typed: string) => void
}

const LINES = 3

/** The field of an option, with what may be entered below it, or what is to be corrected. */
export const OptionField = ({ option, typed, wrong, onType }: OptionFieldProps) => {
  const { t, text, word } = useFormat()
  const { name, kind, is_secret: isSecret, by_default: value } = option
  const id = `option-${name}`
  const help = text(option.help)
  const field = {
    id,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": wrong !== undefined,
    value: typed,
    autoComplete: "off",
    placeholder: placeholderOf(option),
    onChange: ({ target }: { target: { value: string } }) => onType(target.value),
  }
  // The browser must not offer to keep a secret of the store.
  const secret = isSecret && {
    type: "password",
    autoComplete: "new-password",
    ...(option.source === "stored" && { placeholder: t("settings.typeToReplace") }),
  }
  return (
    <Field
      id={id}
      label={
        <>
          {text(option.label)}
          {(option.source === "shared" || !option.is_required) && (
            <span className="text-ui-fg-muted font-normal">
              {" "}
              ({t(option.source === "shared" ? "settings.ofAll" : "settings.optional")})
            </span>
          )}
        </>
      }
      hint={wrong ? text(wrong) : `${help[0]?.toUpperCase()}${help.slice(1)}`}
      isWrong={wrong !== undefined}
    >
      {kind === "list" || kind === "codes" ? (
        <Textarea {...field} rows={LINES} />
      ) : kind === "flag" || kind === "choice" ? (
        <Choice
          id={id}
          describedBy={`${id}-hint`}
          value={typed || written({ value })}
          options={kind === "flag" ? ["true", "false"] : option.choices}
          nameOf={(choice) => word("settings.values", choice)}
          onChoose={onType}
        />
      ) : (
        <Input {...field} {...secret} />
      )}
    </Field>
  )
}

function placeholderOf({ by_default: value, kind }: Option): string {
  if (kind === "text" && typeof value === "string") return value
  return kind === "number" && value !== null ? written({ value }) : ""
}
