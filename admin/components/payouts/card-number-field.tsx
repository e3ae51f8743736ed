import { Hint, Input } from "@medusajs/ui"
import { useId, useLayoutEffect, useRef } from "react"

import { useFormat } from "../../lib/format"
import { CARD_DIGITS, digitsOf, grouped, hasCheckDigit } from "../../lib/payouts/card-number"
import { Field } from "../forms"

interface CardNumberFieldProps {
  /** Digits only. The parent keeps them in memory, and only while the field exists. */
  digits: string
  onChange: (digits: string) => void
  error?: string | undefined
}

/** A card number, in groups of four. Neither the browser nor a password manager may remember it. */
export const CardNumberField = ({ digits, onChange, error }: CardNumberFieldProps) => {
  const { t } = useFormat()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const digitsBeforeCaret = useRef<number | null>(null)

  // Grouping changes the text, and the caret would jump to its end.
  useLayoutEffect(() => {
    const before = digitsBeforeCaret.current
    if (before === null || !input.current) return
    digitsBeforeCaret.current = null
    const caret = before === 0 ? 0 : grouped(digits.slice(0, before)).length
    input.current.setSelectionRange(caret, caret)
  }, [digits])

  const isWhole = digits.length === CARD_DIGITS
  const warning = isWhole && !hasCheckDigit(digits) ? t("payout.number.unusual") : null
  return (
    <Field id={id} label={t("payout.number.label")}>
      <Input
        id={id}
        ref={input}
        name="recipient"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        data-1p-ignore=""
        data-lpignore="true"
        placeholder="0000 0000 0000 0000"
        className="font-mono"
        aria-invalid={Boolean(error)}
        aria-describedby={`${id}-hint`}
        value={grouped(digits)}
        onChange={({ target }) => {
          const caret = target.selectionStart ?? target.value.length
          const typed = digitsOf(target.value)
          digitsBeforeCaret.current = Math.min(
            digitsOf(target.value.slice(0, caret)).length,
            typed.length
          )
          onChange(typed)
        }}
      />
      <div id={`${id}-hint`} role="status">
        {error ? (
          <Hint variant="error">{error}</Hint>
        ) : (
          <Hint className={warning ? "text-ui-tag-orange-text" : ""}>
            {warning ?? t("payout.number.hint")}
          </Hint>
        )}
      </div>
    </Field>
  )
}
