import { readFileSync } from "node:fs"
import { join } from "node:path"

import {
  actionsFor,
  adviceOf,
  closingOf,
  factsThatOpenAgain,
  problem,
  PROBLEM_ACTIONS,
  PROBLEM_KINDS,
  type ProblemKind,
  textOf,
} from "../../../src/problems/rules/problems"
import {
  medusaRefusal,
  reasonsForLog,
  reasonsText,
  refusalText,
} from "../../../src/problems/rules/reasons"
import { refusedPayment } from "../../../src/refusals/refused"
import { text } from "../../../src/texts"
import { pathsOf } from "../../paths-of-routes"
import { PROBLEM_SAMPLES } from "../../problem-samples"

const EVERY = PROBLEM_KINDS.flatMap((kind) =>
  PROBLEM_SAMPLES[kind].map((facts) => problem(kind, facts as never))
)

describe.each(EVERY.map((found) => [found.kind, found] as const))(
  "%s (promise 21)",
  (kind, found) => {
    const text = textOf(found)

    it("says in both languages what its facts say", () => {
      expect(text.en).toMatch(/^[A-Z0-9₽].*[.)]$/s)
      expect(text.ru).toMatch(/^[А-ЯA-Z0-9].*[.)]$/s)
      expect(text.ru).toMatch(/[а-я]{4}/)
      for (const said of Object.values(text)) {
        expect(said).not.toMatch(/undefined|null|NaN|\[object|\{\{| {2}|\.\.| \./)
        // Ids are in the facts, and mean nothing to a person.
        expect(said).not.toMatch(
          /pstx_|payses_|cart_|pay_0|pspo_|record_|[\da-f]{8}-[\da-f]{4}|6f1c2f0a|session|сесси|statuses/i
        )
      }
    })

    it("says in both languages what closes it, unless a person must act", () => {
      const closing = closingOf(kind)
      expect(closing === null).toBe(NOT_TO_WAIT_FOR.includes(kind))
      if (!closing) return
      expect(closing.en).toMatch(/^Closes by itself when [^.]+\.$/)
      expect(closing.ru).toMatch(/^Закроется сама, когда [^.]*[а-я]{4}[^.]*\.$/)
    })

    it("says in both languages what to do, and names its order by the number", () => {
      const [named, unnamed] = [adviceOf(kind, 5), adviceOf(kind)]
      for (const { en, ru } of [named!, unnamed!]) {
        expect(en).toMatch(/^[A-Z][^а-я{]+\.$/)
        expect(ru).toMatch(/^[А-Я][^{]*[а-я]{4}[^{]*\.$/)
      }
      expect([named?.en.includes("#5"), named?.ru.includes("#5")]).toEqual(
        Array(2).fill(kind === "reversed")
      )
    })

    it("is made from plain JSON, and is one problem per cause", () => {
      const stored = JSON.parse(JSON.stringify(found.facts)) as Record<string, unknown>
      expect(textOf({ kind, facts: stored })).toEqual(text)
      expect(found.cause).toMatch(/^[a-z]+:[^ ]+$/)
      const open = factsThatOpenAgain(found)
      expect(factsThatOpenAgain({ ...found, facts: stored as never })).toEqual(
        JSON.parse(JSON.stringify(open))
      )
      // A number in a list that moves every day opens nothing again.
      for (const moving of ["count", "sums", "records"]) {
        expect(Object.keys(open ?? {})).not.toContain(moving)
      }
    })
  }
)

/** Kinds of which the service or Medusa could end the problem, but must not be waited for. */
const NOT_TO_WAIT_FOR: ProblemKind[] = [
  "paid_after_change",
  "paid_twice",
  "amount_differs",
  "currency_differs",
  "not_ours",
  "reversed",
  "changed_since_handled",
  "refund_due",
  "callback_unreadable",
]

describe("what a problem says", () => {
  it("is at least its kind, where a later version has written it", () => {
    expect(textOf({ kind: "of_tomorrow", facts: {} }).ru).toBe("of_tomorrow")
    expect(actionsFor("of_tomorrow")).toEqual(["handle"])
    expect(actionsFor("toString")).toEqual(["handle"])
    expect([closingOf("of_tomorrow"), adviceOf("of_tomorrow")]).toEqual([null, null])
  })

  it.each([
    [1, "1 payment", "1 оплата"],
    [2, "2 payments", "2 оплаты"],
    [5, "5 payments", "5 оплат"],
    [21, "21 payments", "21 оплата"],
    [13_245, "13,245 payments", "13\u00a0245 оплат"],
  ])("has the word that goes with %s", (count, en, ru) => {
    expect(text("counted", "payments", { count })).toEqual({ en, ru })
  })
})

describe("a refusal of Medusa, or of the plugin through Medusa, (promise 21)", () => {
  it.each([
    ["Some variant does not have the required inventory", "out_of_stock"],
    ["Not enough stock available for item iitem_01 at location sloc_01", "out_of_stock"],
    ['Failed to acquire lock for key "cart_01"', "cart_locked"],
    ["Medusa has completed the cart and not taken the payment.", "not_taken"],
    ["Max retries (3) exceeded for saving checkpoint due to version conflicts", "workflow_broke"],
    ['Updating Status from "ok" to "temp_failure" is not allowed.', "workflow_broke"],
    ["The payment: pay_01 has been canceled.", "payment_canceled"],
    ["Payment provider pp_sbp is not enabled in the cart's region reg_01.", "method_disabled"],
    ["All fulfillments must be canceled before canceling an order", "has_fulfillments"],
    ["Session: payses_01 was not authorized with the provider.", "not_authorized"],
    ["Payment session payses_01 is not there any more.", "session_gone"],
    [refusedPayment("order_half_made", { order: "#7" }).message, "order_half_made"],
    [refusedPayment("cart_changed").message, "cart_changed"],
    ["This payment belongs to another cart.", "other_cart"],
    ["This payment has been taken already, in another session of the same cart.", "taken_already"],
    ["This payment has been paid and cannot be canceled. Pay the money back instead.", "paid"],
    [
      "This payment has been paid and is being confirmed; the cart cannot be changed any more.",
      "paid",
    ],
    [
      "The payment service has not confirmed this payment, so it cannot be captured.",
      "not_confirmed",
    ],
    ["This payment is being looked at right now. Please try again in a moment.", "busy"],
    [
      "Transaction pstx_01 was created for a merchant, or at an address, that is no longer configured",
      "no_account",
    ],
    ["Tickets are sold out", "other"],
  ])("%s is %s", (detail, code) => {
    const refusal = medusaRefusal(detail)
    expect(refusal).toEqual({ code, detail })
    if (code !== "other") expect(refusalText(refusal).ru).toMatch(/^[^a-z]*(Medusa)?[^a-z]*$/i)
  })
})

it("each action of the catalogue has its address, and each address its action", () => {
  const folder = "../../../src/api/admin/payment-service/problems/[id]/[action]"
  const code = readFileSync(join(__dirname, folder, "route.ts"), "utf8")
  const addresses = pathsOf("[action]", code).map((name) => name.replaceAll("-", "_"))
  // A payout has its own routes.
  expect([...addresses, "pay_out"].sort()).toEqual([...PROBLEM_ACTIONS].sort())
  const actions = new Set(PROBLEM_KINDS.flatMap((kind) => actionsFor(kind)))
  expect([...actions].sort()).toEqual([...PROBLEM_ACTIONS].sort())
})

describe("reasons", () => {
  const refused = { code: "out_of_stock", detail: "Not enough stock available" } as const
  const gone = { what: "session_gone" } as const

  it("are said one after the other, and in a log as Medusa said them", () => {
    const { en, ru } = reasonsText([gone, refused])
    expect(en).toBe("the payment was replaced or withdrawn; there is not enough stock")
    expect(ru).toBe("платёж заменили или отозвали; товара не хватает на складе")
    expect(reasonsForLog([gone, refused])).toBe(
      "the payment was replaced or withdrawn; Not enough stock available"
    )
    expect(reasonsForLog([{ code: "no_account", detail: "" }])).toBe(
      "no account leads to where it was opened"
    )
    expect(reasonsText([])).toEqual({ en: "", ru: "" })
  })
})
