import { Hint, Input, Label, RadioGroup } from "@medusajs/ui"
import { useId, useLayoutEffect, useRef } from "react"

import { useFormat } from "../../lib/format"
import { digitsOf, grouped, hasCheckDigit, isWhole } from "../../lib/payouts/card-number"
import { useRead } from "../../lib/sdk"
import { NotRead } from "../cards"
import { ChoiceBox, Field } from "../forms"

export const TYPED = "typed_number"

/** The field `card_id`: the id of one of the saved cards that the service pays to, `TYPED`, or nothing yet. */
export const CardPicker = ({ account, typedHint }: Record<"account" | "typedHint", string>) => {
  const { t } = useFormat()
  // The service is asked each time, because a card may have been disabled.
  const answer = useRead("cards", { only_active: true, account }, { staleTime: 0, retry: false })
  const { data } = answer
  const cards = data?.cards ?? []
  return (
    <Field
      name="card_id"
      label={t("payout.card.to")}
      hint={data && t(cards.length > 0 ? "payout.card.shopsOwn" : "payout.card.noneActive")}
    >
      {({ ref, value, onChange }) => (
        <RadioGroup ref={ref} value={value} onValueChange={onChange}>
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
      )}
    </Field>
  )
}

interface CardNumberFieldProps {
  /** Digits only. The parent keeps them in memory, and only while the field exists. */
  digits: string
  onChange: (digits: string) => void
  /** Whether somebody has tried to go on with it: from then on, a number that is too short is said to be. */
  isTried: boolean
}

/** A card number, in groups of four. It is no value of its form, and neither the browser nor a password manager may remember it. */
export const CardNumberField = ({ digits, onChange, isTried }: CardNumberFieldProps) => {
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

  const isShort = isTried && !isWhole(digits)
  const isUnusual = isWhole(digits) && !hasCheckDigit(digits)
  return (
    <div className="flex flex-col gap-y-2">
      <Label htmlFor={id} size="small" weight="plus">
        {t("payout.number.label")}
      </Label>
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
        aria-invalid={isShort}
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
        {isShort ? (
          <Hint variant="error">{t("payout.number.short")}</Hint>
        ) : (
          <Hint className={isUnusual ? "text-ui-tag-orange-text" : ""}>
            {t(isUnusual ? "payout.number.unusual" : "payout.number.hint")}
          </Hint>
        )}
      </div>
    </div>
  )
}
