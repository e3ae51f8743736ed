import { RadioGroup, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"

import type { CardsAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { reading } from "../../lib/sdk"
import { Line, Skeletons, Subtle } from "../cards"
import { ChoiceBox } from "../forms"
import { Action } from "../link-to"

/** The choice of a typed number. */
export const TYPED = "typed_number"

interface CardPickerProps {
  account: string
  /** The id of a saved card, `TYPED`, or nothing yet. */
  chosen: string
  onChoose: (chosen: string) => void
  /** Says who will type the number. */
  typedHint: string
}

/** Chooses one of the saved cards that the service pays to, or a typed number. */
export const CardPicker = ({ account, chosen, onChoose, typedHint }: CardPickerProps) => {
  const { t, reasonOf } = useFormat()
  // The service is asked each time, because a card may have been disabled.
  const { data, isFetching, error, refetch } = useQuery({
    ...reading<CardsAnswer>("cards", { only_active: true, account }),
    staleTime: 0,
    retry: false,
  })
  const cards = data?.cards ?? []
  return (
    <div className="flex flex-col gap-y-3">
      <Line weight="plus" id="payout-recipient">
        {t("payout.card.to")}
      </Line>
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
      <RadioGroup value={chosen} onValueChange={onChoose} aria-labelledby="payout-recipient">
        <div className="grid max-h-96 gap-2 overflow-y-auto p-px">
          {!data && !error && <Skeletons columns={["h-14 h-14"]} />}
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
