import type { ConnectedAccount, Problem } from "../../../admin/lib/answers"
import { relatedPageOf } from "../../../admin/lib/problems/related-page"
import type { ProblemKind } from "../../../src/problems/rules/problems"
import { PROBLEM_SAMPLES } from "../../problem-samples"

const RECORD = "6f1c2f0a-0000-4000-8000-000000000000"
const CONNECTION = "/settings/sbp-crypto?tab=connection"

const SUBJECT = {
  transaction_row_id: null,
  transaction_id: null,
  order_id: null,
} as const

function pageOf(
  kind: ProblemKind,
  facts: object,
  subject: Partial<Problem> = {},
  accounts?: ConnectedAccount[]
) {
  const problem = { kind, facts, ...SUBJECT, ...subject } as unknown as Problem
  return relatedPageOf(problem, accounts)?.to ?? null
}

const sampleOf = (kind: ProblemKind, found?: string) => {
  const facts = PROBLEM_SAMPLES[kind].find(
    (one) => !found || ("found" in one && one.found === found)
  )
  if (!facts) throw new Error(`no sample of ${kind} ${found ?? ""}`)
  return facts
}

describe("the page on which an admin sees more about a problem (promise 21)", () => {
  it.each<[string, ProblemKind, string | undefined, Partial<Problem>, string | null]>([
    ["an unreadable callback", "callback_unreadable", undefined, {}, CONNECTION],
    ["a silent service", "service_unreachable", undefined, {}, CONNECTION],
    ["refused credentials", "credentials_refused", undefined, {}, CONNECTION],
    ["payments that cannot be opened", "payments_not_opened", undefined, {}, CONNECTION],
    ["no account", "not_configured", undefined, {}, CONNECTION],
    ["a payout", "payout_unknown", undefined, {}, "/payment-service/payouts/pspo_01"],
    ["a kind of a later version", "of_tomorrow" as ProblemKind, undefined, {}, null],
  ])("without a payment of ours: %s", (_, kind, found, subject, page) => {
    const facts = Object.hasOwn(PROBLEM_SAMPLES, kind) ? sampleOf(kind, found) : {}
    expect(pageOf(kind, facts, subject)).toBe(page)
  })

  it("is the payment, if there is one", () => {
    const both = { transaction_row_id: "pstx_01", order_id: "order_01", transaction_id: RECORD }
    const payment = "/payment-service/transactions/pstx_01"
    // A status is about no single payment, so its problem has neither.
    const kinds = Object.keys(PROBLEM_SAMPLES).filter((kind) => kind !== "unknown_status")
    for (const kind of kinds as ProblemKind[]) {
      const pages: Partial<Record<ProblemKind, string>> = {
        payout_unknown: "/payment-service/payouts/pspo_01",
      }
      expect([kind, pageOf(kind, sampleOf(kind), both)]).toEqual([kind, pages[kind] ?? payment])
    }
  })
})
