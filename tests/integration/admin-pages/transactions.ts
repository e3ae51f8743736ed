import { randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"

import { Modules } from "@medusajs/framework/utils"
import type { ICustomerModuleService, IOrderModuleService } from "@medusajs/framework/types"

import type { Clock, DatabaseClock } from "../../../src/database/clock"
import { LISTED_STANDINGS } from "../../../src/payments/rules/transaction"
import { addRows } from "../add-rows"
import { ADMIN_NAME, adminOf } from "../admin"
import { eventually } from "../eventually"
import { withoutWatcher } from "../passes"
import { act, openProblem } from "../problems-of"
import { type OpenPayment, ordersOf, payToOrder, payUntilSettled, Shopper } from "../shopper"
import { settledRow, type TestStore } from "../store"

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

  it("is for admins only, and refuses what it does not know, in words", async () => {
    const row = (await addRows(store, [{}]))[0]!
    for (const address of [ADDRESS, `${ADDRESS}/${row.id}`]) {
      expect((await store.http.get(address)).status).toBe(401)
    }
    expect((await store.http.post(`${ADDRESS}/${row.id}/settle`)).status).toBe(401)
    for (const query of [
      "state=nonsense",
      "limit=201",
      "offset=-1",
      "order=qr",
      "from=yesterday",
      "x=1",
    ]) {
      const { status, data } = await admin.get(`${ADDRESS}?${query}`)
      expect({ query, status }).toEqual({ query, status: 400 })
      expect(String(data.message)).toContain(query.split("=")[0])
    }
    // The right ones are named.
    const wrong = await admin.get(`${ADDRESS}?state=nonsense`)
    expect(wrong.data.message).toMatch(/`state` must be one of creating, .*paid/)
    for (const id of ["pstx_unknown", crypto.randomUUID()]) {
      expect(await admin.get(`${ADDRESS}/${id}`, { "accept-language": "ru" })).toMatchObject({
        status: 404,
        data: { code: "no_transaction", message: `В этом магазине нет транзакции ${id}.` },
      })
    }
  })

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

  it("lists an empty store", async () => {
    expect(await list()).toEqual({ transactions: [], count: 0, limit: 20, offset: 0 })
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
    expect(idsOf(await list({ order: "opened_at" }))).toEqual([oldest, less, crypto, newest])
    expect(idsOf(await list({ order: "amount" }))).toEqual([oldest, crypto, newest, less])
    expect(idsOf(await list({ order: "-paid_at" }))).toEqual([crypto, less, newest, oldest])
    expect(idsOf(await list({ state: "paid" }))).toEqual([crypto, less])
    expect(idsOf(await list({ "state[0]": "expired", "state[1]": "pending" }))).toEqual([
      newest,
      oldest,
    ])
    expect(idsOf(await list({ exception: "amount_less" }))).toEqual([less])
    expect(idsOf(await list({ method: "crypto" }))).toEqual([crypto])
    expect(idsOf(await list({ account: "other" }))).toEqual([oldest])
    expect(idsOf(await list({ status: "On hold" }))).toEqual([oldest])
    expect(await list({ status: "ON HOLD" })).toMatchObject({ transactions: [], count: 0 })
    expect(idsOf(await list({ from: at(3).toISOString(), to: at(1).toISOString() }))).toEqual([
      crypto,
      less,
    ])
    const paid = { paid_from: at(2).toISOString(), paid_to: at(1).toISOString() }
    expect(idsOf(await list(paid))).toEqual([less])
    expect(idsOf(await list({ paid_from: at(2).toISOString() }))).toEqual([crypto, less])
    for (const [order, ids] of [
      ["amount", [crypto, less]],
      ["-opened_at", [crypto, less]],
      ["paid_at", [less, crypto]],
    ] as const) {
      expect(idsOf(await list({ paid_from: at(2).toISOString(), order }))).toEqual(ids)
    }
    expect(idsOf(await list({ ...paid, exception: "amount_more" }))).toEqual([])
    expect(idsOf(await list({ ...paid, standing: "payable" }))).toEqual([])
    expect(await list({ paid_to: at(1).toISOString(), q: "2000" })).toMatchObject({ count: 1 })
    expect(await list({ limit: "2", offset: "2" })).toMatchObject({
      transactions: [{ id: less }, { id: oldest }],
      count: 4,
      limit: 2,
      offset: 2,
    })
  })

  it("finds a payment by parts of the buyer's e-mail address and name, in any case (promise 19)", async () => {
    const cart = await shopper.newCart({ email: "Maria.Petrova@mail.test" })
    await shopper.raw("post", `/store/carts/${cart.id}`, {
      shipping_address: { first_name: "Мария", last_name: "Петрова", country_code: "ru" },
    })
    const paid = await shopper.open(cart.id)
    await payToOrder(store, paid)
    const row = await settledRow(store, paid.sessionId)
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
    for (const q of ["ма", "nobody", "петрова ivan", "%%%", "___", "' or 1=1 --", "\\\\\\"]) {
      expect({ q, found: await found(q) }).toEqual({ q, found: [] })
    }

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

  it("finds a payment by the order's number, an e-mail address, an amount and every id (promise 19)", async () => {
    const paid = await shopper.checkout("sbp", { email: "Found@Shopper.test" })
    const row = await payUntilSettled(store, paid)
    await shopper.checkout("sbp", { email: "other@shopper.test" })
    await addRows(store, [
      { amount: "490.50" },
      { amount: "700.00", state: "paid", exception: "amount_less", read_amount: "650.5" },
    ])
    const [orderId] = await ordersOf(store, paid.cartId)
    const order = await store.container
      .resolve<IOrderModuleService>(Modules.ORDER)
      .retrieveOrder(orderId ?? "")

    const words = [
      `#${order.display_id}`,
      String(order.display_id),
      "found@shopper.test",
      "FOUND@shopper.TEST",
      paid.data.transaction_id,
      paid.data.transaction_id.toUpperCase(),
      row.id,
      paid.sessionId,
      paid.cartId,
      orderId ?? "",
      row.customer_id ?? "",
      `  ${paid.cartId} `,
      // The beginnings of ids.
      paid.data.transaction_id.slice(0, 6),
      paid.data.transaction_id.slice(0, 20).toUpperCase(),
      ...[paid.sessionId, row.payment_collection_id, paid.cartId, orderId ?? ""].map((id) =>
        id.slice(0, -5)
      ),
    ]
    for (const q of words) {
      expect({ q, found: idsOf(await list({ q })) }).toEqual({ q, found: [row.id] })
    }
    const { transactions } = await list({ q: row.id })
    expect(transactions).toMatchObject([
      {
        order_id: orderId,
        order_number: order.display_id,
        state: "paid",
        standing: "settled",
        customer: { email: "found@shopper.test", name: null },
      },
    ])
    const [customer] = await store.container
      .resolve<ICustomerModuleService>(Modules.CUSTOMER)
      .updateCustomers({ id: [row.customer_id ?? ""] }, { first_name: "Анна" })
    expect(customer).toMatchObject({ last_name: null })
    expect(await list({ q: row.id })).toMatchObject({
      transactions: [{ customer: { email: "found@shopper.test", name: "Анна" } }],
    })
    expect((await list({ q: "490,5" })).transactions).toMatchObject([{ amount: "490.50" }])
    const [less] = (await list({ q: "650,50" })).transactions
    expect(less).toMatchObject({ amount: "700.00", read_amount: "650.5" })
    expect((await list({ q: "2 290.00" })).count).toBe(2)
    const [digits] = await addRows(store, [{ transaction_id: `123456${randomUUID().slice(6)}` }])
    expect(idsOf(await list({ q: "123456" }))).toEqual([digits?.id])
    for (const q of [
      "nobody@shopper.test",
      "77",
      "%",
      "' or 1=1 --",
      "pstx_",
      "______",
      paid.cartId.slice(1),
      "0x10",
      "99999999999",
    ]) {
      expect({ q, count: (await list({ q })).count }).toEqual({ q, count: 0 })
    }
    // Only a digest of a guest's address is kept.
    expect(JSON.stringify(await store.module.listTransactions({}))).not.toContain("shopper.test")
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
    // The same by our own id. The service may be asked once more between two answers, which moves the time of the read.
    await eventually("both ids get the same answer", async () => {
      const ids = [second.data.transaction_id, row.id]
      const [byTheirs, byOurs] = await Promise.all(
        ids.map(async (id) => (await admin.get(`${ADDRESS}/${id}`)).data)
      )
      return isDeepStrictEqual(byTheirs, byOurs)
    })
  })

  it("shows the payments and open problems of one order or one customer, and of nobody else", async () => {
    const paid = await shopper.checkout("sbp", { email: "has-both@shopper.test" })
    const row = await payUntilSettled(store, paid)
    const changed = await shopper.checkout("crypto", { email: "has-both@shopper.test" })
    await shopper.addItem(changed.cartId, 1)
    await store.simulator.pay(changed.data.transaction_id)
    const problem = await openProblem(store, changed)
    await shopper.checkout("sbp", { email: "somebody-else@shopper.test" })

    const of = async (query: string) => await admin.get(`/admin/payment-service/payments?${query}`)
    expect((await of(`order_id=${row.order_id ?? ""}`)).data).toMatchObject({
      payments: [{ id: row.id, verdict: { kind: "paid" }, order_number: expect.any(Number) }],
      problems: [],
    })
    expect((await of(`customer_id=${row.customer_id ?? ""}`)).data).toMatchObject({
      payments: [{ transaction_id: changed.data.transaction_id }, { id: row.id }],
      problems: [{ id: problem.id, method: "crypto", account: "main" }],
    })
    const payouts = { payouts: [], count: 0, smallest: null }
    const nothing = {
      payments: [],
      count: 0,
      problems: [],
      problem_count: 0,
      pay_out: null,
      payouts,
      payment_link: null,
    }
    expect((await of("order_id=order_of_nobody")).data).toEqual(nothing)
    expect((await of("order_id=order_of_nobody")).headers).toMatchObject({
      "cache-control": "no-store",
    })
    for (const query of ["", "order_id=a&customer_id=b", "cart_id=a"]) {
      expect((await of(query)).status).toBe(400)
    }
    expect((await store.http.get("/admin/payment-service/payments?order_id=a")).status).toBe(401)
  })

  it("shows first which attempt paid an order, and nobody what else could be paid", async () => {
    const paid = await shopper.checkout("sbp")
    const later = await shopper.open(paid.cartId, "crypto")
    await payUntilSettled(store, paid)
    const [orderId = ""] = await ordersOf(store, paid.cartId)
    const { data } = await eventually("both attempts", async () => {
      const answer = await admin.get(`/admin/payment-service/payments?order_id=${orderId}`)
      return answer.data.count === 2 ? answer : undefined
    })
    const notOffered = { redirect: null, qr: null }
    expect(data.payments).toMatchObject([
      { transaction_id: paid.data.transaction_id, standing: "settled", ...notOffered },
      { transaction_id: later.data.transaction_id, standing: "payable", ...notOffered },
    ])
    const alone = await admin.get(`${ADDRESS}/${later.data.transaction_id}`)
    expect(alone.data.transaction).toMatchObject({ standing: "payable", ...notOffered })
  })

  it("says how many payments and problems there are beyond those that it shows", async () => {
    const of = { customer_id: "cus_of_many", order_id: "order_of_many" }
    const opened_at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index))
    const rows = await addRows(
      store,
      Array.from({ length: 12 }, (_, index) => ({
        ...of,
        opened_at: opened_at(index),
        // The oldest one is the one that was paid.
        ...(index ? {} : { state: "paid", paid_at: opened_at(60), settled_at: opened_at(60) }),
      }))
    )
    const ask = async (query: string) => {
      const { data } = await admin.get(`/admin/payment-service/payments?${query}`)
      return data as { payments: { id: string }[]; count: number; problem_count: number }
    }
    const ofCustomer = await ask(`customer_id=${of.customer_id}`)
    expect(ofCustomer).toMatchObject({ count: 12, problem_count: 0 })
    expect(idsOf({ transactions: ofCustomer.payments as Listed[] })).toEqual(
      rows
        .map(({ id }) => id)
        .reverse()
        .slice(0, 10)
    )
    const ofOrder = await ask(`order_id=${of.order_id}`)
    expect(ofOrder.count).toBe(12)
    expect(ofOrder.payments).toHaveLength(10)
    expect(ofOrder.payments[0]?.id).toBe(rows[0]?.id)
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
    const russian = await admin.post(
      `${ADDRESS}/${other.data.transaction_id}/settle`,
      {},
      { "accept-language": "ru-RU,en;q=0.5" }
    )
    expect(russian).toMatchObject({
      status: 500,
      data: {
        code: "unavailable",
        message:
          "Запрос к платёжному сервису не удался: сервис не работает. Повторите попытку через минуту.",
      },
    })
  })

  it("shows its problem, names that one's customer and who closed it, and refuses in the reader's language", async () => {
    store.simulator.clearFaults()
    const payment = await shopper.checkout("sbp", { email: "known-by-name@shopper.test" })
    await shopper.addItem(payment.cartId, 1)
    await store.simulator.pay(payment.data.transaction_id)
    const problem = await openProblem(store, payment)
    const { data } = await admin.get(`${ADDRESS}/${payment.data.transaction_id}`)
    expect(data).toMatchObject({
      verdict: { kind: "needs_person", messages: { en: problem.message } },
      problems: [{ id: problem.id, actions: expect.arrayContaining(["place_order"]) }],
    })
    const handled = await act(admin, problem, "handle", { note: "Called the customer" })
    expect(handled.data).toMatchObject({
      problem: {
        closed_by_name: ADMIN_NAME,
        note: "Called the customer",
        customer_email: "known-by-name@shopper.test",
      },
    })
    const again = `/admin/payment-service/problems/${problem.id}/handle`
    const body = { note: "Once more" }
    expect(await admin.post(again, body)).toMatchObject({
      status: 400,
      data: { code: "problem_closed", message: "This problem is closed already." },
    })
    expect(await admin.post(again, body, { "accept-language": "ru" })).toMatchObject({
      status: 400,
      data: { code: "problem_closed", message: "Эта проблема уже закрыта." },
    })
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
}
