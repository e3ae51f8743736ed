import texts from "../../../admin/i18n"
import { PAYOUT_ACTIONS, PAYOUT_STATES } from "../../../src/payouts/rules/payout"
import {
  PROBLEM_ACTIONS,
  PROBLEM_KINDS,
  PROBLEM_RESOLUTIONS,
} from "../../../src/problems/rules/problems"
import {
  LISTED_STANDINGS,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
} from "../../../src/payments/rules/transaction"
import { text } from "../../../src/texts"

const LANGUAGES = ["en", "ru"] as const
const PLURAL = /_(one|few|many|other)$/

/** Every text with its key. */
function textsOf(value: object, path = ""): [key: string, text: string][] {
  return Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
    typeof text === "object" && text !== null
      ? textsOf(text, `${path}${name}.`)
      : [[`${path}${name}`, String(text)] as [string, string]]
  )
}

/** The forms of a plural, of which languages have different ones, are one key. */
const keysOf = (value: object) => textsOf(value).map(([key]) => key.replace(PLURAL, ""))

const inOrder = (keys: Iterable<string>) => [...new Set(keys)].sort()

describe("the texts of the dashboard (promise 21)", () => {
  it("are the same ones in both languages, and none is empty", () => {
    const [english, russian] = LANGUAGES.map((language) => texts[language].paymentService)
    expect(inOrder(keysOf(russian ?? {}))).toEqual(inOrder(keysOf(english ?? {})))
    expect(textsOf(texts).filter(([, text]) => text.trim() === "")).toEqual([])
  })

  it("use the same placeholders in both languages", () => {
    const placeholders = (language: (typeof LANGUAGES)[number]) =>
      textsOf(texts[language].paymentService).map(([key, text]) => [
        key,
        inOrder(text.match(/\{\{\w+\}\}/g) ?? []),
      ])
    const plain = (pairs: unknown[][]) =>
      Object.fromEntries(pairs.filter(([key]) => !PLURAL.test(String(key))))
    expect(plain(placeholders("ru"))).toEqual(plain(placeholders("en")))
  })

  it("know every kind of problem, what can be done about it and how it ends", () => {
    for (const language of LANGUAGES) {
      const { problemKinds, actions, resolutions } = texts[language].paymentService
      expect(inOrder(Object.keys(problemKinds))).toEqual(inOrder(PROBLEM_KINDS))
      expect(Object.keys(actions)).toEqual(expect.arrayContaining([...PROBLEM_ACTIONS]))
      expect(inOrder(Object.keys(resolutions))).toEqual(inOrder(PROBLEM_RESOLUTIONS))
    }
  })

  it("know every state of a payout, what it means and what can be done", () => {
    for (const language of LANGUAGES) {
      const { states, verdicts, actions } = texts[language].paymentService.payout
      expect(inOrder(Object.keys(states))).toEqual(inOrder(PAYOUT_STATES))
      expect(Object.keys(verdicts)).toEqual(expect.arrayContaining([...PAYOUT_STATES]))
      expect(inOrder(Object.keys(actions))).toEqual(inOrder(PAYOUT_ACTIONS))
    }
  })

  it("know every state and exception, and call a standing as exported files do", () => {
    for (const language of LANGUAGES) {
      const { states, exceptions, standings } = texts[language].paymentService
      expect(inOrder(Object.keys(states))).toEqual(inOrder(TRANSACTION_STATES))
      expect(inOrder(Object.keys(exceptions))).toEqual(inOrder(TRANSACTION_EXCEPTIONS))
      const named = Object.fromEntries(
        LISTED_STANDINGS.map((standing) => [standing, text("standings", standing)[language]])
      )
      expect(standings).toEqual(named)
    }
  })
})
