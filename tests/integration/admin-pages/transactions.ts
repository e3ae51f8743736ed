import { Modules } from "@medusajs/framework/utils"
import type { ICustomerModuleService, IOrderModuleService } from "@medusajs/framework/types"

import type { Clock, DatabaseClock } from "../../../src/database/clock"
import { LISTED_STANDINGS } from "../../../src/payments/rules/transaction"
import { problemOf } from "../../../src/problems/rules/problems"
import { addRows } from "../add-rows"
import { ADMIN_NAME, adminOf } from "../admin"
import { eventually } from "../eventually"
import { withoutWatcher } from "../passes"
import { act, listedProblems, openProblem } from "../problems-of"
import { type OpenPayment, payUntilSettled, Shopper } from "../shopper"
import type { TestStore } from "../store"

const ADDRESS = "/admin/payment-service/transactions"
const MINUTE = 60_000

interface Listed {
  id: string
  transaction_id: string
  order_id: string | null
  order_number: number | null
  state: string
  standing: string
  amount: string
}

export function transactionsForAdmins(store: TestStore): void {
  const admin = adminOf(store)
  const shopper = new Shopper(store)

  const list = async (query: Record<string, string> = {}) => {
    const { status, data } = await admin.get(`${ADDRESS}?${new URLSearchParams(query).toString()}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    return data as { transactions: Listed[]; count: number; limit: number; offset: number }
  }
  const idsOf = ({ transactions }: { transactions: Listed[] }) => transactions.map(({ id }) => id)

  it("finds by each standing what the list says of it, refunds among them", async () => {
    const now = store.module.clock.now()
    const [before, after] = [-MINUTE, MINUTE].map((ms) => new Date(now.getTime() + ms))
    const paid = { state: "paid", paid_at: now, read_amount: "1000", read_currency: "RUB" } as const
    const settled = { ...paid, settled_at: now }
    const wrong = { ...paid, exception: "amount_less", exception_at: now } as const
    const rows = await addRows(store, [
      ...(["creating", "refused", "unknown", "pending", "canceled", "expired"] as const).map(
        (state) => ({ state })
      ),
      paid,
      settled,
      settled,
      settled,
      settled,
      wrong,
      { ...wrong, handled_at: after },
      { ...wrong, handled_at: after },
      { ...wrong, handled_at: before },
    ])
    const refund = async (place: number, kind: "outside" | "payout" | "reversed", amount: string) =>
      await store.module.ledger.add({
        kind,
        amount,
        currency: "RUB",
        transaction_row_id: rows[place]?.id ?? "",
      })
    await refund(8, "outside", "400")
    await refund(8, "payout", "599.99")
    await refund(9, "outside", "400")
    await refund(9, "payout", "600")
    // Money that the service took back itself is no refund.
    await refund(10, "reversed", "1000")
    await refund(11, "outside", "1000")
    await refund(12, "outside", "1000")
    const said = new Map<string, string>()
    const { transactions } = await list({ limit: "200" })
    for (const { id, standing } of transactions) said.set(id, standing)
    expect(rows.map(({ id }) => said.get(id))).toEqual([
      ...["opening", "not_opened", "unanswered", "payable", "over", "over", "waiting_for_medusa"],
      ...["settled", "partly_refunded", "refunded", "settled", "waiting_for_person"],
      ...["refunded", "taken_care_of", "waiting_for_person"],
    ])
    for (const standing of LISTED_STANDINGS) {
      const found = await list({ standing, limit: "200" })
      const meant = transactions.filter((one) => one.standing === standing)
      expect({ standing, ids: idsOf(found).sort() }).toEqual({
        standing,
        ids: meant.map(({ id }) => id).sort(),
      })
      expect(found.count).toBe(meant.length)
    }
    const alone = await admin.get(`${ADDRESS}/${rows[9]?.id}`)
    expect(alone.data.transaction).toMatchObject({ standing: "refunded" })
  })

  it("filters by state, exception, method, account and period, sorts and pages", async () => {
    const now = store.module.clock.now().getTime()
    const at = (minutes: number) => new Date(now - minutes * MINUTE)
    const rows = await addRows(store, [
      { opened_at: at(1), amount: "100.00" },
      { opened_at: at(2), amount: "30.00", method: "crypto", state: "paid", paid_at: at(1) },
      {
        opened_at: at(3),
        amount: "2000.00",
        state: "paid",
        exception: "amount_less",
        paid_at: at(2),
      },
      { opened_at: at(4), amount: "5.00", account: "other", state: "expired", status: "On hold" },
    ])
    const [newest, crypto, less, oldest] = rows.map(({ id }) => id)
    expect(idsOf(await list())).toEqual([newest, crypto, less, oldest])
    expect(idsOf(await list({ order: "amount" }))).toEqual([oldest, crypto, newest, less])
    expect(idsOf(await list({ order: "-paid_at" }))).toEqual([crypto, less, newest, oldest])
    expect(idsOf(await list({ "state[0]": "expired", "state[1]": "pending" }))).toEqual([
      newest,
      oldest,
    ])
    expect(idsOf(await list({ exception: "amount_less" }))).toEqual([less])
    expect(idsOf(await list({ method: "crypto" }))).toEqual([crypto])
    expect(idsOf(await list({ account: "other" }))).toEqual([oldest])
    expect(idsOf(await list({ status: "On hold" }))).toEqual([oldest])
    expect(idsOf(await list({ from: at(3).toISOString(), to: at(1).toISOString() }))).toEqual([
      crypto,
      less,
    ])
    const paid = { paid_from: at(2).toISOString(), paid_to: at(1).toISOString() }
    expect(idsOf(await list(paid))).toEqual([less])
    expect(await list({ paid_to: at(1).toISOString(), q: "2000" })).toMatchObject({ count: 1 })
    expect(await list({ limit: "2", offset: "2" })).toMatchObject({
      transactions: [{ id: less }, { id: oldest }],
      count: 4,
      limit: 2,
      offset: 2,
    })
  })

  it("finds a payment by parts of the buyer's e-mail address and name, the order's number, an amount and every id (promise 19)", async () => {
    const cart = await shopper.newCart({ email: "Maria.Petrova@mail.test" })
    await shopper.raw("post", `/store/carts/${cart.id}`, {
      shipping_address: { first_name: "Мария", last_name: "Петрова", country_code: "ru" },
    })
    const paid = await shopper.open(cart.id)
    const row = await payUntilSettled(store, paid)
    const other = await shopper.checkout("sbp", { email: "ivan_petrov.bad2024@other.test" })
    const otherRow = await store.module.findBySession(other.sessionId)
    const found = async (q: string) => idsOf(await list({ q }))

    for (const q of [
      ...[
        "petrova@",
        "PETROVA",
        "mail.test",
        "петров",
        "ПЕТРОВА",
        "Мария Петрова",
        "петрова  мария",
      ],
      "maria петрова",
    ]) {
      expect({ q, found: await found(q) }).toEqual({ q, found: [row.id] })
    }
    // Some parts look like the beginning of an id.
    for (const q of ["canary", "ivan_petrov", "bad2024"]) {
      expect({ q, found: await found(q) }).toEqual({ q, found: [otherRow?.id] })
    }
    const { display_id } = await store.container
      .resolve<IOrderModuleService>(Modules.ORDER)
      .retrieveOrder(row.order_id ?? "")
    const { transaction_id } = paid.data
    for (const q of [
      ...[`#${display_id}`, String(display_id), "MARIA.petrova@mail.test"],
      ...[transaction_id.toUpperCase(), row.id, paid.sessionId, `  ${paid.cartId} `],
      ...[row.order_id ?? "", row.customer_id ?? ""],
      // The beginnings of ids.
      ...[transaction_id.slice(0, 6), paid.cartId.slice(0, -5), row.order_id?.slice(0, -5) ?? ""],
    ]) {
      expect({ q, found: await found(q) }).toEqual({ q, found: [row.id] })
    }
    const [amounts] = await addRows(store, [
      { amount: "700.00", state: "paid", exception: "amount_less", read_amount: "650.5" },
    ])
    expect(await found("650,50")).toEqual([amounts?.id])
    expect(await found("2 290.00")).toHaveLength(2)
    for (const q of [
      ...["ма", "nobody", "петрова ivan", "%%%", "___", "\\\\\\", "77", "%", "' or 1=1 --"],
      ...["pstx_", paid.cartId.slice(1), "99999999999"],
    ]) {
      expect({ q, found: await found(q) }).toEqual({ q, found: [] })
    }
    // Only a digest of a guest's address is kept.
    expect(JSON.stringify(await store.module.listTransactions({}))).not.toContain("mail.test")

    // An order has the address that an admin has given it since.
    const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
    await orders.updateOrders(row.order_id ?? "", { email: "masha@new.test" })
    expect(await found("masha@new")).toEqual([row.id])
    // A customer is found by the name of the account.
    const { customer_id } = row
    await store.container
      .resolve<ICustomerModuleService>(Modules.CUSTOMER)
      .updateCustomers(customer_id ?? "", { last_name: "Сидорова" })
    expect(await found("сидоров")).toEqual([row.id])
  })

  it("tells of one payment whether it was paid, all that happened, and the other attempts", async () => {
    const first = await shopper.checkout("sbp", { email: "asks@shopper.test" })
    const second = await shopper.open(first.cartId, "crypto")
    // In the journal, callbacks have the store's time and changes the database's: they must agree to a few milliseconds.
    const clock = store.module.clock as Clock & Pick<DatabaseClock, "look">
    await eventually("the database's clock is read quickly", async () => {
      const asked = performance.now()
      await clock.look()
      return performance.now() - asked < 10
    })
    const row = await payUntilSettled(store, second)
    const { status, data } = await admin.get(`${ADDRESS}/${second.data.transaction_id}`)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      transaction: {
        id: row.id,
        state: "paid",
        amount: "2290.00",
        method: "crypto",
        customer_email: "asks@shopper.test",
        read_at: expect.any(String),
        commission: expect.any(String),
        amount_usdt: expect.any(String),
      },
      verdict: { kind: "paid" },
      problems: [],
      refund_proofs: [],
      attempts: [{ transaction_id: first.data.transaction_id, state: "pending" }],
    })
    const journal = data.journal as { kind: string; facts: Record<string, unknown>; by: unknown }[]
    expect(journal.map(({ kind }) => kind)).toEqual([
      "opened",
      "state",
      "callback",
      "state",
      "settled",
    ])
    expect(journal.find(({ facts }) => facts.to === "paid")).toMatchObject({
      facts: { from: "pending", status: "CONFIRMED", amount: "2290" },
      by: null,
    })
    // The same by our own id.
    expect((await admin.get(`${ADDRESS}/${row.id}`)).data).toMatchObject({
      transaction: { id: row.id, state: "paid" },
    })
  })

  it("shows the payments and open problems of one order or one customer, and of nobody else", async () => {
    const paid = await shopper.checkout("sbp", { email: "has-both@shopper.test" })
    const later = await shopper.open(paid.cartId, "crypto")
    const row = await payUntilSettled(store, paid)
    const changed = await shopper.checkout("crypto", { email: "has-both@shopper.test" })
    await shopper.addItem(changed.cartId, 1)
    await store.simulator.pay(changed.data.transaction_id)
    const problem = await openProblem(store, changed)
    await shopper.checkout("sbp", { email: "somebody-else@shopper.test" })

    const of = async (query: string) => await admin.get(`/admin/payment-service/payments?${query}`)
    const ofOrder = await eventually("both attempts", async () => {
      const { data } = await of(`order_id=${row.order_id ?? ""}`)
      return data.count === 2 && data
    })
    expect(ofOrder).toMatchObject({
      payments: [
        { id: row.id, verdict: { kind: "paid" }, order_number: expect.any(Number) },
        {
          transaction_id: later.data.transaction_id,
          standing: "payable",
          redirect: null,
          qr: null,
        },
      ],
      problems: [],
    })
    expect((await of(`customer_id=${row.customer_id ?? ""}`)).data).toMatchObject({
      payments: [
        { transaction_id: changed.data.transaction_id },
        { transaction_id: later.data.transaction_id },
        { id: row.id },
      ],
      problems: [{ id: problem.id, method: "crypto", account: "main" }],
    })
    const payouts = { payouts: [], count: 0, smallest: null }
    const nothing = {
      payments: [],
      count: 0,
      problems: [],
      problem_count: 0,
      payouts,
      payment_link: null,
    }
    expect((await of("order_id=order_of_nobody")).data).toEqual(nothing)
    for (const query of ["", "order_id=a&customer_id=b", "cart_id=a"]) {
      expect((await of(query)).status).toBe(400)
    }
  })

  it("has the service asked at a click, once it was paid without a callback, and says who did", async () => {
    const payment = await shopper.checkout()
    await withoutWatcher(store, async () => {
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      const before = await admin.get(`${ADDRESS}/${payment.data.transaction_id}`)
      expect(before.data).toMatchObject({ verdict: { kind: "not_paid_yet" } })
    })
    const { status, data } = await admin.post(`${ADDRESS}/${payment.data.transaction_id}/settle`)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      transaction: { state: "paid", order_number: expect.any(Number) },
      verdict: { kind: "paid" },
    })
    const checked = (data.journal as { kind: string }[]).find(({ kind }) => kind === "checked")
    expect(checked).toMatchObject({ by: expect.stringMatching(/^user_/), by_name: ADMIN_NAME })

    store.simulator.fault({ on: "get", kind: "status", status: 503, times: Infinity })
    const other = await shopper.checkout()
    const refused = await admin.post(`${ADDRESS}/${other.data.transaction_id}/settle`)
    expect(refused.status).toBe(500)
    expect(String(refused.data.message)).toContain("Please try again in a minute")
    expect(refused.data.code).toBe("unavailable")
  })

  it("tells in order what people did about a payment, by name, and what that has changed", async () => {
    const paidLess = async () => {
      const payment = await shopper.checkout()
      store.simulator.edit(payment.data.transaction_id, { amount: 2000 })
      await store.simulator.pay(payment.data.transaction_id)
      return { payment, problem: await openProblem(store, payment) }
    }
    const actionsOf = async ({ data: { transaction_id } }: OpenPayment) => {
      const { data } = await admin.get(`${ADDRESS}/${transaction_id}`)
      const told = data.journal as { kind: string; facts: object; by: string; by_name: string }[]
      return told
        .filter(({ kind }) => ["acted", "accepted", "handled"].includes(kind))
        .map(({ kind, facts, by, by_name }) => ({ kind, ...facts, by, by_name }))
    }
    const acted = (action: string) => ({
      kind: "acted",
      action,
      problem: "amount_differs",
      by: expect.stringMatching(/^user_/) as unknown,
      by_name: ADMIN_NAME,
    })
    const nobody = { by: null, by_name: null }

    const { payment, problem } = await paidLess()
    expect((await act(admin, problem, "retry")).status).toBe(200)
    expect((await act(admin, problem, "accept-amount", { amount: "1999" })).status).toBe(400)
    expect((await act(admin, problem, "accept-amount", { amount: "2000" })).status).toBe(200)
    expect(await actionsOf(payment)).toEqual([
      acted("retry"),
      { kind: "accepted", amount: "2000", ...nobody },
      acted("accept_amount"),
    ])

    for (const [path, action] of [
      ["handle", "handle"],
      ["refunded-outside", "refunded_outside"],
    ] as const) {
      const other = await paidLess()
      expect((await act(admin, other.problem, path, { note: "by hand" })).status).toBe(200)
      expect(await actionsOf(other.payment)).toEqual([
        { kind: "handled", handled: true, ...nobody },
        acted(action),
      ])
    }
  })

  it("has one problem of a status that no option names, with the sums of all its payments, for one person's word (promise 1)", async () => {
    const exception_at = store.module.clock.now()
    const held = { exception: "unknown_status", status: "On hold", exception_at } as const
    const rows = await addRows(store, [
      { ...held, amount: "100.50", order_id: "order_held" },
      { ...held, amount: "300", read_amount: "250", read_currency: "RUB" },
      { ...held, amount: "0.75", currency: "USD", account: "closed_account" },
      { ...held, amount: "7", status: "Frozen" },
      { status: "On hold", amount: "1", state: "canceled" },
    ])
    for (const row of rows) if (problemOf(row)) await store.module.problems.openOrCloseFor(row)
    const problems = await listedProblems(admin, "status=open&order=-amount")
    expect(problems).toMatchObject([
      {
        ...{ kind: "unknown_status", amount: null, transaction_row_id: null },
        payments: [
          { currency: "RUB", count: 2, amount: "350.50" },
          { currency: "USD", count: 1, amount: "0.75" },
        ],
      },
      { kind: "unknown_status", payments: [{ currency: "RUB", count: 1, amount: "7" }] },
    ])
    const id = String(problems[0]?.id)
    for (const query of [
      ...[`transaction_id=${rows[1]?.transaction_id}`, "order_id=order_held"],
      ...["account=closed_account", `q=${rows[2]?.session_id}`],
    ]) {
      expect([query, await listedProblems(admin, query)]).toMatchObject([query, [{ id }]])
    }
    const { data } = await admin.get("/admin/payment-service/overview")
    const waits = { kind: "unknown_status", age: "day" }
    expect(data.waiting).toEqual([
      { ...waits, currency: "RUB", count: 2, amount: "357.50" },
      { ...waits, currency: "USD", count: 1, amount: "0.75" },
    ])
    const handled = await act(admin, { id }, "handle", { note: "They are looked into" })
    expect(handled).toMatchObject({
      status: 200,
      data: { problem: { resolution: "handled" }, transaction: null },
    })
    expect(await store.module.transactions.get(rows[0]!.id)).toMatchObject({ handled_at: null })
  })
}
