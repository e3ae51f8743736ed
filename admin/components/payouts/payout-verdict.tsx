import { Alert, Container, Heading, Text } from "@medusajs/ui"

import { usePayoutWords } from "../../lib/payout-words"
import type { PayoutWithJournal } from "../../lib/api"
import { PayoutActions } from "./payout-actions"
import { useOtherCard } from "./payout-history"
import { PayoutStateBadge } from "./payout-state"

interface PayoutVerdictProps extends PayoutWithJournal {
  /** Whether the last read failed, so that the state may have changed. */
  isOld: boolean
}

/** The outcome of a payout, with its meaning and the next step. */
export const PayoutVerdict = ({ payout, journal, isOld }: PayoutVerdictProps) => {
  const { t, rubles, toCard, text } = usePayoutWords()
  const otherCard = useOtherCard()
  const [warning] = journal.flatMap(({ facts }) => otherCard(facts) ?? [])
  const { state, reason } = payout
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center gap-3">
        <Heading>{rubles(payout.amount)}</Heading>
        <PayoutStateBadge payout={payout} />
        <Text size="small" className="text-ui-fg-subtle">
          {t("payout.card.toCard", { card: toCard(payout) })}
        </Text>
      </div>
      {isOld && <Alert variant="warning">{t("payout.notReadAgain")}</Alert>}
      {warning && <Alert variant="warning">{warning}</Alert>}
      <div role="status" className="flex max-w-prose flex-col gap-y-2">
        <Text>
          {t(
            state === "draft" && payout.needs_card_number
              ? "payout.verdicts.draft_typed"
              : `payout.verdicts.${state}`,
            { defaultValue: "" }
          )}
        </Text>
        {reason && <Text>{text(reason)}</Text>}
      </div>
      <PayoutActions payout={payout} />
    </Container>
  )
}
