import type { ConnectedAccount, Problem } from "../../../admin/lib/answers"
import { relatedPageOf } from "../../../admin/lib/problems/related-page"
import type { ProblemKind } from "../../../src/problems/rules/problems"
import { PROBLEM_SAMPLES } from "../../problem-samples"

const RECORD = "6f1c2f0a-0000-4000-8000-000000000000"
const CONNECTION = "/settings/sbp-crypto?tab=connection"
const LIST = "/payment-service/transactions"

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

describe("the page on which an admin sees more about a problem", () => {
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

  const filtersOf = (page: string | null) => {
    const [path, search] = page?.split("?") ?? []
    expect(path).toBe(LIST)
    return Object.fromEntries(new URLSearchParams(search))
  }

  it("of a status that no option names is the list of this store's payments with it", () => {
    const facts = sampleOf("unknown_status")
    const filters = { exception: '["unknown_status"]', status: '["ON_HOLD"]' }
    const account = { id: null, merchant_id: "MERCHANT_01", base_url: "https://pay.test" }
    expect(filtersOf(pageOf("unknown_status", facts))).toEqual(filters)
    const only = [account as ConnectedAccount]
    expect(filtersOf(pageOf("unknown_status", facts, {}, only))).toEqual(filters)
    // Another merchant's payments with the same status are another problem's.
    const accounts = [
      { ...account, id: "first", merchant_id: "another" },
      { ...account, id: "second" },
    ] as ConnectedAccount[]
    expect(filtersOf(pageOf("unknown_status", facts, {}, accounts))).toEqual({
      ...filters,
      account: '["second"]',
    })
  })

  it("of payments that the store never heard of is the service's list of them", () => {
    const facts = {
      ...sampleOf("payment_not_here", "foreign_payments"),
      from: "2026-02-01T00:00:00.000Z",
      to: "2026-03-01T12:00:00.000Z",
    }
    const filters = {
      source: "service",
      known: '"false"',
      status_name: '["CONFIRMED"]',
      created_at: '{"$gte":"2026-02-01T00:00:00.000Z","$lte":"2026-03-01T11:59:59.999Z"}',
    }
    expect(filtersOf(pageOf("payment_not_here", facts))).toEqual(filters)

    // The list is asked for the same methods as the comparison asked for.
    expect(filtersOf(pageOf("payment_not_here", { ...facts, methods: ["SBP"] }))).toEqual({
      ...filters,
      method: '["SBP"]',
    })

    const account = { id: null, merchant_id: "merchant_01", base_url: "https://pay.test" }
    const accounts = [
      { ...account, id: "first", merchant_id: "another" },
      { ...account, id: "second" },
    ] as ConnectedAccount[]
    expect(filtersOf(pageOf("payment_not_here", facts, {}, accounts))).toEqual({
      ...filters,
      account: '"second"',
    })
    // A store with a single account has no filter by account.
    expect(filtersOf(pageOf("payment_not_here", facts, {}, [account as ConnectedAccount]))).toEqual(
      filters
    )
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
