import { Hint, Input, RadioGroup } from "@medusajs/ui"
import { useId, useLayoutEffect, useRef } from "react"

import { useFormat } from "../../lib/format"
import { CARD_DIGITS, digitsOf, grouped, hasCheckDigit } from "../../lib/payouts/card-number"
import { useRead } from "../../lib/sdk"
import { Line, NotRead, Subtle } from "../cards"
import { ChoiceBox, Field } from "../forms"

export const TYPED = "typed_number"

interface CardPickerProps {
  account: string
  /** The id of a saved card, `TYPED`, or nothing yet. */
  chosen: string
  onChoose: (chosen: string) => void
  typedHint: string
}

/** Chooses one of the saved cards that the service pays to, or a typed number. */
export const CardPicker = ({ account, chosen, onChoose, typedHint }: CardPickerProps) => {
  const { t } = useFormat()
  // The service is asked each time, because a card may have been disabled.
  const answer = useRead("cards", { only_active: true, account }, { staleTime: 0, retry: false })
  const { data } = answer
  const cards = data?.cards ?? []
  return (
    <div className="flex flex-col gap-y-3">
      <Line weight="plus" id="payout-recipient">
        {t("payout.card.to")}
      </Line>
      <RadioGroup value={chosen} onValueChange={onChoose} aria-labelledby="payout-recipient">
        <div className="grid max-h-96 gap-2 overflow-y-auto p-px">
          {!data && <NotRead shape="rows" answer={answer} />}
          {cards.map(({ card_id: id, brand, last4, label }) => (
            <ChoiceBox
              key={id}
              value={id}
              label={[brand, `•••• ${last4 ?? "????"}`].filter(Boolean).join(" ")}
              description={label ?? ""}
            />
          ))}
        </div>
        <ChoiceBox value={TYPED} label={t("payout.card.another")} description={typedHint} />
      </RadioGroup>
      {data && (
        <Subtle>{t(cards.length > 0 ? "payout.card.shopsOwn" : "payout.card.noneActive")}</Subtle>
      )}
    </div>
  )
}

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
          const before = digitsOf(target.value.slice(0, caret)).length
          digitsBeforeCaret.current = Math.min(before, typed.length)
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
