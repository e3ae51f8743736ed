import type { RefusalTopic } from "./errors"

/** Parts of words that say that a key, a request or a payout exists already. */
const DONE = "(?:used|exists?|process|sent|created|made|submitted|completed|paid)"
const DONE_RU = "(?:использ|обраб|существ|созда|отправл|выполн|проведен)"

/**
 * The specification does not show the form of errors, so their text is searched for words of both languages, the clearest first.
 * Words about the key come before all others, because an earlier request may then have gone through, whatever else the text says.
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

/** Returns the topic of a payout's refusal, or undefined when its words show none. */
export function topicOf(refusal: string): RefusalTopic | undefined {
  // An error may repeat the endpoint's address, whose word "card" says nothing about the reason.
  const said = refusal.replaceAll("payouts/card-rub", "")
  return WORDS.find(([, words]) => words.test(said))?.[0]
}
