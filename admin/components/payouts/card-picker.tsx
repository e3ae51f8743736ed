import { Input, RadioGroup, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"

import type { CardsAnswer } from "../../lib/answers"
import { usePayoutWords } from "../../lib/payouts/words"
import { reading } from "../../lib/sdk"
import { Line, Skeletons, Subtle } from "../cards"
import { ChoiceBox } from "../forms"
import { Action } from "../link-to"

type SavedCard = CardsAnswer["cards"][number]

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
  const { t, word, reasonOf } = usePayoutWords()
  const [all, setAll] = useState(false)
  const [searched, setSearched] = useState("")
  // The service is asked each time, because a card may have been disabled.
  const { data, isFetching, error, refetch } = useQuery({
    ...reading<CardsAnswer>("cards", { only_active: !all, account }),
    staleTime: 0,
    retry: false,
  })
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
        <Line weight="plus" id="payout-recipient">
          {t("payout.card.to")}
        </Line>
        {!error && !all && (
          <Action
            variant="transparent"
            type="button"
            className="-mx-2"
            isLoading={isFetching}
            onClick={() => setAll(true)}
          >
            {t("payout.card.showOthers")}
          </Action>
        )}
      </div>
      {error && (
        <div className="flex flex-wrap items-center gap-2" role="alert">
          <Text size="small" className="text-ui-fg-error">
            {t("payout.card.notListed", { reason: reasonOf(error) })}
          </Text>
          <Action type="button" isLoading={isFetching} onClick={() => void refetch()}>
            {t("failed.retry")}
          </Action>
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
          {!data && !error && <Skeletons columns={["h-14 h-14"]} />}
          {shown.map((card) => (
            <ChoiceBox
              key={card.card_id}
              value={card.card_id}
              disabled={!isActive(card)}
              label={[card.brand, `•••• ${card.last4 ?? "????"}`].filter(Boolean).join(" ")}
              description={[
                card.label,
                !isActive(card) && word("payout.card.statuses", card.status),
              ]
                .filter(Boolean)
                .join(" · ")}
            />
          ))}
        </div>
        <ChoiceBox value={TYPED} label={t("payout.card.another")} description={typedHint} />
      </RadioGroup>
      {cards.length > 0 && <Subtle>{t("payout.card.shopsOwn")}</Subtle>}
      {data && !cards.some(isActive) && <Subtle>{t("payout.card.noneActive")}</Subtle>}
    </div>
  )
}
