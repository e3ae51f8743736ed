import { problemOf } from "../../../src/problems/rules/problems"
import { addRows } from "../add-rows"
import { adminOf } from "../admin"
import { act } from "../problems-of"
import type { TestStore } from "../store"

const BASE = "/admin/payment-service"

interface Page {
  count: number
  transactions: { id: string }[]
  problems: { id: string; [field: string]: unknown }[]
}

/** Payments with the service's own statuses, of which the options name some. */
export function statusesForAdmins(store: TestStore): void {
  const admin = adminOf(store)

  const ask = async <Answer = Page>(path: string): Promise<Answer> => {
    const { status, data } = await admin.get(`${BASE}/${path}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    return data as Answer
  }

  describe("that no option names", () => {
    const held = { exception: "unknown_status", status: "On hold" } as const
    /** Three on hold, one of them of another currency, and two with other statuses; each row's problem is open. */
    const withProblems = async () => {
      const exception_at = store.module.clock.now()
      const rows = await addRows(store, [
        { ...held, exception_at, amount: "100.50", order_id: "order_held" },
        { ...held, exception_at, amount: "300", read_amount: "250", read_currency: "RUB" },
        { ...held, exception_at, amount: "0.75", currency: "USD", account: "closed_account" },
        { ...held, exception_at, amount: "7", status: "Frozen" },
        { status: "On hold", amount: "1", state: "canceled" },
      ])
      for (const row of rows) if (problemOf(row)) await store.module.problems.openOrCloseFor(row)
      return rows
    }

    it("are one problem each, which tells of all its payments, and is found by each of them", async () => {
      const [first, second, third] = await withProblems()
      const { problems } = await ask("problems?status=open&order=-amount")
      expect(problems).toMatchObject([
        {
          kind: "unknown_status",
          amount: null,
          currency: null,
          transaction_row_id: null,
          payments: [
            { currency: "RUB", count: 2, amount: "350.50" },
            { currency: "USD", count: 1, amount: "0.75" },
          ],
        },
        { kind: "unknown_status", payments: [{ currency: "RUB", count: 1, amount: "7" }] },
      ])
      const [{ id }] = problems as [Page["problems"][0]]
      for (const query of [
        `transaction_row_id=${first!.id}`,
        `transaction_id=${second!.transaction_id}`,
        "order_id=order_held",
        "account=closed_account",
        `q=${third!.session_id}`,
      ]) {
        const found = await ask(`problems?${query}`)
        expect({ query, count: found.count, ids: found.problems.map((one) => one.id) }).toEqual({
          query,
          count: 1,
          ids: [id],
        })
      }
      expect((await ask(`transactions/${second!.id}`)).problems).toMatchObject([{ id }])
      expect((await ask("payments?order_id=order_held")).problems).toMatchObject([{ id }])
      expect((await ask("problems?account=nobody")).problems).toEqual([])
    })

    it("wait for a person with the sums of all their payments", async () => {
      await withProblems()
      const { waiting } = await ask<{ waiting: object[] }>("overview")
      expect(waiting).toEqual([
        { kind: "unknown_status", age: "day", currency: "RUB", count: 2, amount: "357.50" },
        { kind: "unknown_status", age: "day", currency: "USD", count: 1, amount: "0.75" },
      ])
    })

    it("are taken care of as a whole, and no payment with them is", async () => {
      const [first] = await withProblems()
      const { problems } = await ask("problems?order_id=order_held")
      const [problem] = await store.module.listProblems({ id: problems[0]!.id })
      expect(await act(admin, problem!, "handle", { note: "They are looked into" })).toMatchObject({
        status: 200,
        data: { problem: { resolution: "handled" }, transaction: null },
      })
      expect(await store.module.transactions.get(first!.id)).toMatchObject({ handled_at: null })
    })
  })

  it("filter the list and the file of this store's payments, whatever they are", async () => {
    const rows = await addRows(store, [
      { status: "On hold", opened_at: new Date("2026-01-02T00:00:00Z") },
      { status: "On hold", opened_at: new Date("2026-01-01T00:00:00Z"), merchant_id: "another" },
      { status: "PENDING", method: "crypto" },
      { status: null },
    ])
    const [newer, older, pending] = rows.map(({ id }) => id)
    for (const [query, expected] of [
      ["status=On%20hold", [newer, older]],
      ["status=On%20hold&order=opened_at", [older, newer]],
      ["status=On%20hold&order=-amount&limit=1", [newer]],
      ["status[]=On%20hold&status[]=PENDING", [pending, newer, older]],
      ["status=PENDING&method=sbp", []],
      ["status=PENDING&standing=payable&q=1000", [pending]],
      ["status=on%20hold", []],
    ] as const) {
      const { transactions } = await ask(`transactions?${query}`)
      expect({ query, found: transactions.map(({ id }) => id) }).toEqual({ query, found: expected })
    }
    expect((await ask("transactions?status=On%20hold&limit=1")).count).toBe(2)
    const file = await ask<{ id: string }[]>("exports/transactions.json?status=On%20hold")
    expect(file.map(({ id }) => id)).toEqual([newer, older])
    expect(await admin.get(`${BASE}/transactions?status=`)).toMatchObject({ status: 400 })
  })
}
