import type { RefusalTopic } from "./errors"

/** Participles that say of a key, a request or a payout that the service has had it before. */
const DONE = "(?:used|exists?|process|sent|created|made|submitted|completed|paid)"
const DONE_RU = "(?:использ|обраб|существ|созда|отправл|выполн|проведен)"

/**
 * The form of errors is not shown, so their words are looked for in either language, the most telling first. A word about
 * the key comes before all others: whatever else is named, an earlier request may have gone through.
 */
const WORDS: [RefusalTopic, RegExp][] = [
  [
    "key",
    new RegExp(
      `idempot|duplicat|re-?used|already (?:been |was )?${DONE}|${DONE} already` +
        `|идемпотент|дубл|повторн|уже (?:был[аио]? )?${DONE_RU}`,
      "i"
    ),
  ],
  ["balance", /balance|insufficient|not enough|funds|баланс|недостаточно|средств/i],
  ["feature", /not enabled|feature|turned off|не подключ|отключен|не включен/i],
  ["amount", /amount|сумм/i],
  ["card", /card|карт/i],
]

/** The subject that the text of a refused payout speaks of, or undefined when its words tell nothing. */
export function topicOf(refusal: string): RefusalTopic | undefined {
  // An error may repeat the address or the request's fields, of which only the field at fault means something.
  const said = refusal.replaceAll("payouts/card-rub", "")
  return WORDS.find(([, words]) => words.test(said))?.[0]
}
