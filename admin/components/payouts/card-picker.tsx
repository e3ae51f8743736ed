import { Button, Input, RadioGroup, Text } from "@medusajs/ui"
import { useState } from "react"

import { usePayoutWords } from "../../lib/payout-words"
import { useSavedCards } from "../../lib/payout-queries"
import type { SavedCard } from "../../lib/api"
import { useErrorWords } from "../../lib/refusal"
import { ChoiceBox } from "../choice-box"

/** The choice of a typed number. */
export const TYPED = "typed_number"
/** With this many cards, there is a field to search them. */
const MANY = 8

interface CardPickerProps {
  account: string
  /** The id of a saved card, `TYPED`, or nothing yet. */
  chosen: string
  onChoose: (chosen: string) => void
  /** Says who will type the number. */
  typedHint: string
}

/** Chooses a saved card, or a typed number. The service pays only to active cards. */
export const CardPicker = ({ account, chosen, onChoose, typedHint }: CardPickerProps) => {
  const { t, word } = usePayoutWords()
  const words = useErrorWords()
  const [all, setAll] = useState(false)
  const [searched, setSearched] = useState("")
  const { data, isFetching, error, refetch } = useSavedCards({ account, all })
  const cards = data?.cards ?? []
  const shown = cards.filter((card) =>
    `${card.brand ?? ""} ${card.label ?? ""} ${card.last4 ?? ""}`
      .toLowerCase()
      .includes(searched.trim().toLowerCase())
  )
  const isActive = ({ status }: SavedCard) => status === "ACTIVE"
  return (
    <div className="flex flex-col gap-y-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Text size="small" weight="plus" leading="compact" id="payout-recipient">
          {t("payout.card.to")}
        </Text>
        {!error && !all && (
          <Button
            size="small"
            variant="transparent"
            type="button"
            className="-mx-2"
            isLoading={isFetching}
            onClick={() => setAll(true)}
          >
            {t("payout.card.showOthers")}
          </Button>
        )}
      </div>
      {error && (
        <div className="flex flex-wrap items-center gap-2" role="alert">
          <Text size="small" className="text-ui-fg-error">
            {t("payout.card.notListed", { reason: words(error) })}
          </Text>
          <Button
            size="small"
            variant="secondary"
            type="button"
            isLoading={isFetching}
            onClick={() => void refetch()}
          >
            {t("payments.again")}
          </Button>
        </div>
      )}
      {cards.length > MANY && (
        <Input
          type="search"
          aria-label={t("payout.card.search")}
          placeholder={t("payout.card.search")}
          value={searched}
          onChange={({ target }) => setSearched(target.value)}
        />
      )}
      <RadioGroup value={chosen} onValueChange={onChoose} aria-labelledby="payout-recipient">
        <div className="grid max-h-96 gap-2 overflow-y-auto p-px">
          {shown.map((card) => (
            <ChoiceBox
              key={card.card_id}
              value={card.card_id}
              disabled={!isActive(card)}
              label={[card.brand, `•••• ${card.last4 ?? "????"}`].filter(Boolean).join(" ")}
              description={
                isActive(card)
                  ? (card.label ?? "")
                  : [card.label, word("payout.card.statuses", card.status)]
                      .filter(Boolean)
                      .join(" · ")
              }
            />
          ))}
        </div>
        <ChoiceBox value={TYPED} label={t("payout.card.another")} description={typedHint} />
      </RadioGroup>
      {data && !cards.some(isActive) && (
        <Text size="small" className="text-ui-fg-subtle">
          {t("payout.card.noneActive")}
        </Text>
      )}
    </div>
  )
}
