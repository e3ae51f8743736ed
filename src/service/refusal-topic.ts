import type { RefusalTopic } from "./errors"

/**
 * The specification does not show the form of errors, so their text is searched for words of both languages, the clearest first.
 */
const WORDS: [RefusalTopic, RegExp][] = [
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
