import type { RefusalTopic } from "./errors"

/** The form of errors is not shown, so their words are looked for in either language, the most telling first. */
const WORDS: [RefusalTopic, RegExp][] = [
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
