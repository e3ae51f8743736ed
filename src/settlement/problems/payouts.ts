import { causeOfPayout } from "../cause"
import { entry } from "./entry"
import { money, type Sum, time } from "../../texts"

/** A payout whose outcome nobody knows. */
export interface UnknownPayoutFacts {
  payout: string
  sum: Sum
  /** Masked; null when none of its digits is known. */
  card: string | null
  /** When it was sent; ISO 8601. */
  since: string
}

export const PAYOUT_PROBLEMS = {
  /** The problem has no actions: it ends when the payout is sent again or marked. */
  payout_unknown: entry<UnknownPayoutFacts>({
    cause: ({ payout }) => causeOfPayout(payout),
    opensAgain: "always",
    actions: [],
    closes: {
      en: "Closes by itself when the payout is created or somebody marks what became of it.",
      ru: "Закроется сама, когда выплата будет создана или её результат отметят.",
    },
    text: ({ payout, sum, card, since }) => {
      const [amount, sent] = [money(sum), time(since)]
      return {
        en:
          `Nobody knows whether the payout ${payout} of ${amount.en}${card ? ` to ${card}` : ""}, sent on ${sent.en}, ` +
          "went through. Look for it in the service's account area, then send it again or mark it.",
        ru:
          `Неизвестно, прошла ли выплата ${payout} на ${amount.ru}${card ? ` (${card})` : ""}, отправленная ${sent.ru}. ` +
          "Найдите её в личном кабинете сервиса, затем отправьте повторно или отметьте результат.",
      }
    },
  }),
}
