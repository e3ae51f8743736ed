import type { IOrderModuleService, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"
import * as fc from "fast-check"

import { MedusaReader } from "../../src/medusa/reader"
import { compareAmounts, sumOf } from "../../src/values/amount"
import type { OrderPlacement } from "../../src/payments/rules/decide"
import type { ProblemAction } from "../../src/problems/rules/problems"
import type { TransactionRow } from "../../src/modules/payment-service"
import { reportMissed } from "../../src/payments/start-due-work"
import { settlePortsOf } from "../../src/payments/ports"
import { type Admin, logIn } from "./admin"
import { followCallbacks } from "./follow-callbacks"
import {
  addCredit,
  claim,
  draftOrder,
  exchange,
  markAsPaid,
  requestReturn,
  sendFirstItem,
} from "./order-changes"
import { editOrder } from "./order-edits"
import { CARDS, payoutsWith, type PayoutUser, send, signedIn } from "./payouts/payouts-of"
import { listedProblems, seenIn, type ShownProblem } from "./problems-of"
import { proofs } from "./proofs"
import { reconcileNow } from "./reconcile-now"
import { findOrder, type OpenPayment, ordersOf, Shopper } from "./shopper"
import { settleDue } from "./settle-due"
import { describeStore, type StoreConfig, type TestStore, withOptions } from "./store"

/**
 * Promises 1 to 3, 7 to 9 and 11, told as stories to real Medusa: commands of a shopper, an administrator, a clock and a service
 * that lies, in any order and several at the same time; then an administrator acts on what is open; and what must hold when
 * everything has come to rest. A failure names its seed: `SEED=…` repeats it, `RUNS=…` tells so many.
 */

const SIGNING_SECRET = "signing-secret-of-the-tests"
const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Command =
  | { do: "pay"; transaction: number; callback: boolean; share: number }
  | { do: "decline" | "callback" | "poll" | "come back"; transaction: number }
  | { do: "say"; transaction: number; status: string }
  | { do: "choose" | "change cart" | "complete" | "watch" | "cancel order" }
  | { do: "edit order"; change: Parameters<typeof editOrder>[3] }
  | { do: "refund"; payment: number; amount: number | null }
  | { do: "pay the rest" | "ask for a return" | "exchange" | "claim" | "give credit" }
  | { do: "mark as paid" | "sell by phone" | "delete the draft" }
  | { do: "jump"; ms: number }
  | { do: "answer late" | "answer nothing"; times: number }

const transaction = fc.nat({ max: 3 })
const weighted = <Fields>(
  weight: number,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }
) => ({
  weight,
  arbitrary: fc.record(fields),
})
const command: fc.Arbitrary<Command> = fc.oneof(
  weighted(5, {
    do: fc.constant("pay" as const),
    transaction,
    callback: fc.boolean(),
    // How much of what was asked for.
    share: fc.constantFrom(1, 1, 1, 1, 0.5, 2),
  }),
  weighted(6, {
    do: fc.constantFrom("decline" as const, "callback", "callback", "poll", "come back"),
    transaction,
  }),
  weighted(1, {
    do: fc.constant("say" as const),
    transaction,
    status: fc.constantFrom("PENDING", "EXPIRED", "CHARGEBACKED", "SOMETHING"),
  }),
  weighted(6, {
    do: fc.constantFrom(
      ...(["choose", "change cart", "complete", "complete", "watch", "watch"] as const),
      "cancel order"
    ),
  }),
  weighted(2, {
    do: fc.constant("edit order" as const),
    change: fc.constantFrom({ add: 1 }, { add: 2 }, "take away" as const, "take back" as const),
  }),
  weighted(2, {
    do: fc.constant("refund" as const),
    payment: transaction,
    amount: fc.constantFrom(null, 100, 490.5),
  }),
  weighted(5, {
    do: fc.constantFrom(
      ...(["pay the rest", "ask for a return", "exchange", "claim", "give credit"] as const),
      ...(["mark as paid", "sell by phone", "delete the draft"] as const)
    ),
  }),
  weighted(1, {
    do: fc.constant("jump" as const),
    ms: fc.constantFrom(5_000, MINUTE, 16 * MINUTE, 20 * MINUTE),
  }),
  weighted(1, {
    do: fc.constantFrom("answer late" as const, "answer nothing"),
    times: fc.integer({ min: 1, max: 2 }),
  })
)

/** Commands that come one after the other, each with those that come at the same time. */
const story = fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), {
  minLength: 3,
  maxLength: 7,
  size: "max",
})

/** An administrator's acts on the problems that are open when everything has come to rest, one after the other. */
const acts = fc.array(
  fc.record({ problem: transaction, action: fc.nat({ max: 7 }), isPart: fc.boolean() }),
  { maxLength: 5, size: "max" }
)
type Act = typeof acts extends fc.Arbitrary<(infer One)[]> ? One : never

const { SEED, RUNS, DEEP } = process.env
const SEEDS =
  SEED === undefined
    ? Array.from({ length: Number(RUNS ?? (DEEP ? 24 : 3)) }, (_, index) => index + 1)
    : [Number(SEED)]

const STORE = {
  simulator: { signingSecret: SIGNING_SECRET },
  env: { PAYMENT_SERVICE_SIGNING_SECRET: SIGNING_SECRET },
  configure: ({ modules }: StoreConfig) => {
    Object.assign(modules.payment_service?.options ?? {}, payoutsWith())
  },
}

describeStore("whatever happens to a real store", STORE, (store) => {
  describe.each<OrderPlacement>(["after_payment", "before_payment"])("orders %s", (placement) => {
    withOptions(store, () => ({ orderPlacement: placement }))

    const callbacks = followCallbacks(store)
    it.each(SEEDS)("story %d ends well (promise 2)", async (seed) => {
      const [told] = fc.sample(fc.tuple(fc.boolean(), story, acts), { seed, numRuns: 1 })
      store.simulator.configure({ usdtBalance: 1_000_000, payoutsEnabled: true })
      const [admin, payer] = [await logIn(store), await signedIn(store, "Anna")]
      const teller = new Teller(store, admin, payer, callbacks, placement)
      await teller.tell(...(told ?? [true, [], []]))
    })
  })
})

interface Part {
  id: string
  amount: number
}

interface PaymentCollection {
  payment_sessions?: { data: { transaction_id?: string } }[]
}

const toText = ({ amount }: Part) => ({ amount: String(amount) })
const kopecks = (amount: string | number) => Math.round(Number(amount) * 100)

class Teller {
  private readonly shopper: Shopper
  private readonly timeAtStart: TestStore["module"]["clock"]
  private aheadMs = 0
  private payment: OpenPayment | null = null
  private readonly drafts: string[] = []
  /** Transactions that the service has called paid in full at some time. */
  private readonly paidInFull = new Set<string>()

  constructor(
    private readonly store: TestStore,
    private readonly admin: Admin,
    private readonly payer: PayoutUser,
    private readonly callbacks: ReturnType<typeof followCallbacks>,
    private readonly placement: OrderPlacement
  ) {
    this.shopper = new Shopper(store)
    this.timeAtStart = store.module.clock
  }

  /** @param isBought whether an order is there before the story begins */
  async tell(isBought: boolean, story: Command[][], acts: Act[]): Promise<void> {
    const { module } = this.store
    module.clock = { now: () => new Date(this.timeAtStart.now().getTime() + this.aheadMs) }
    try {
      this.payment = await this.shopper.checkout()
      if (isBought) await this.buy(this.payment)
      for (const atOnce of story) {
        await Promise.all(atOnce.map((each) => this.obey(each)))
      }
      await this.comeToRest()
      await this.check()
      for (const each of acts) await this.act(each)
      await this.comeToRest()
      await reconcileNow(this.store)
      await this.check()
      await this.checkMoney()
    } catch (error) {
      if (error instanceof Error) error.message += `\n${await this.describe()}`
      throw error
    } finally {
      module.clock = this.timeAtStart
    }
  }

  private get cart(): OpenPayment {
    if (!this.payment) throw new Error("Nothing has been opened yet")
    return this.payment
  }

  private async buy({ cartId, data }: OpenPayment): Promise<void> {
    if (this.placement === "before_payment") await this.shopper.complete(cartId)
    this.paidInFull.add(data.transaction_id)
    await this.store.simulator.pay(data.transaction_id)
    await this.callbacks.allSettled()
    expect(await this.orders()).toHaveLength(1)
  }

  private async obey(command: Command): Promise<void> {
    const { simulator, container } = this.store
    switch (command.do) {
      case "pay": {
        const id = await this.pick(command.transaction)
        const asked = (await this.rows()).find(
          ({ transaction_id }) => transaction_id === id
        )?.amount
        const amount = Number(asked) * command.share
        if (command.share === 1) this.paidInFull.add(id)
        await simulator.pay(id, { amount, callback: command.callback })
        return
      }
      case "decline":
        await simulator.decline(await this.pick(command.transaction), { callback: false })
        return
      case "say":
        await simulator.setStatus(await this.pick(command.transaction), command.status, {
          callback: false,
        })
        return
      case "callback":
        await simulator.sendCallback(await this.pick(command.transaction))
        return
      case "poll":
      case "come back": {
        const id = await this.pick(command.transaction)
        const sessionId =
          (await this.rows()).find(({ transaction_id }) => transaction_id === id)?.session_id ?? ""
        await (command.do === "poll"
          ? this.shopper.poll(sessionId)
          : this.shopper.comeBack(sessionId))
        return
      }
      // Refusals are fine on the way; only the end counts.
      case "choose":
        await this.shopper.choose(this.cart.collectionId, "sbp")
        return
      case "change cart":
        await this.shopper.addItem(this.cart.cartId)
        return
      case "complete":
        await this.shopper.complete(this.cart.cartId)
        return
      case "watch":
        await settleDue(this.store)
        return
      case "cancel order":
        for (const id of await this.orders()) {
          await cancelOrderWorkflow(container).run({ input: { order_id: id }, throwOnError: false })
        }
        return
      case "edit order":
        for (const id of await this.orders()) {
          await editOrder(this.store, this.admin, id, command.change).catch(() => undefined)
        }
        return
      case "ask for a return":
        await this.changeSent((id) => requestReturn(this.admin, id))
        return
      case "exchange": {
        const outbound = { variant_id: this.store.shop.variantIds[1], quantity: 6 }
        await this.changeSent((id) => exchange(this.admin, id, outbound))
        return
      }
      case "claim":
        await this.changeSent((id) => claim(this.admin, id, null))
        return
      case "give credit":
        for (const id of await this.orders()) {
          // Core credits no more than is owed.
          await editOrder(this.store, this.admin, id, { add: 1 })
            .then(() => addCredit(this.admin, id, 100))
            .catch(() => undefined)
        }
        return
      case "mark as paid":
        for (const id of await this.orders()) {
          const [order] = await new MedusaReader(container).listOrderMoney([id])
          await markAsPaid(this.admin, id, Number(order?.owed)).catch(() => undefined)
        }
        return
      case "sell by phone":
        await this.sellByPhone()
        return
      case "delete the draft":
        await this.admin.delete(`/admin/draft-orders/${this.drafts.shift() ?? "none"}`)
        return
      case "refund": {
        const payments = (await this.payments()).filter(({ captures }) => captures.length > 0)
        const payment = payments[command.payment % payments.length]
        const amount = command.amount ?? payment?.amount
        await this.admin.post(`/admin/payments/${payment?.id ?? "none"}/refund`, { amount })
        return
      }
      case "pay the rest":
        for (const id of await this.orders()) await this.payTheRest(id)
        return
      case "jump":
        this.jump(command.ms)
        return
      case "answer late":
        simulator.fault({ on: "get", kind: "stale", times: command.times })
        return
      case "answer nothing":
        simulator.fault({ on: "get", kind: "status", status: 503, times: command.times })
    }
  }

  private jump(ms: number): void {
    this.aheadMs += ms
    this.store.simulator.advance(ms)
  }

  /** Changes orders whose items were sent; a change that was refused on its way is given up, as its admin would. */
  private async changeSent(change: (orderId: string) => Promise<unknown>): Promise<void> {
    const orders = this.store.container.resolve<IOrderModuleService>(Modules.ORDER)
    for (const order_id of await this.orders()) {
      await sendFirstItem(this.admin, order_id).catch(() => undefined)
      await change(order_id).catch(async () => {
        const begun = await orders.listOrderChanges({ order_id, status: "pending" })
        // A credit is ours, or core's at a refund.
        const given = begun.filter(({ change_type: type }) => String(type) !== "credit_line")
        await orders.cancelOrderChange(given.map(({ id }) => id))
      })
    }
  }

  private async sellByPhone(): Promise<void> {
    const id = await draftOrder(this.admin, this.store.shop, 3)
    this.drafts.push(id)
    await this.payTheRest(id)
  }

  /** By a payment link, as the dashboard makes one; the customer pays at once. */
  private async payTheRest(orderId: string): Promise<void> {
    const [order] = await new MedusaReader(this.store.container).listOrderMoney([orderId])
    const owed = { order_id: orderId, amount: Number(order?.owed) }
    const { data } = await this.admin.post("/admin/payment-collections", owed)
    const { id } = (data.payment_collection ?? {}) as { id?: string }
    if (!id) return
    const { data: chosen } = await this.shopper.choose(id, "sbp")
    const collection = (chosen as { payment_collection?: PaymentCollection }).payment_collection
    const paying = collection?.payment_sessions?.[0]?.data.transaction_id
    if (!paying) return
    this.paidInFull.add(paying)
    await this.store.simulator.pay(paying)
  }

  /** Something that an administrator can do about a problem, with the sums that the page proposes; a refusal is fine. */
  private async act({ problem: which, action: what, isPart }: Act): Promise<void> {
    const open = await listedProblems(this.admin, "status=open")
    const problem = open[which % open.length] as
      (ShownProblem & { kind: string; actions: ProblemAction[] }) | undefined
    const { actions } = problem ?? { actions: [] }
    const action = actions[what % actions.length]
    if (!problem || !action) return
    if (action === "pay_out") return await this.payOut(problem.id, isPart)
    const part = isPart && problem.kind === "refund_due" ? "100" : null
    const path = action.replaceAll("_", "-")
    await this.admin.post(`/admin/payment-service/problems/${problem.id}/${path}`, {
      ...seenIn(problem, path),
      ...((action === "handle" || action === "refunded_outside") && { note: "told in a story" }),
      ...(action === "refunded_outside" && { part }),
    })
    await this.callbacks.allSettled()
  }

  /** To a saved card. The service may not answer; then the payout is sent again, as the dashboard offers. */
  private async payOut(problemId: string, isUnanswered: boolean): Promise<void> {
    const { data } = await this.admin.get(`/admin/payment-service/problems/${problemId}`)
    const { pay_out } = data.problem as { pay_out: { parts: number[] } | null }
    const wanted = { problem_id: problemId, card_id: CARDS[0], amount: pay_out?.parts[0] ?? 1_000 }
    const made = await this.payer.post("payouts", wanted)
    if (made.status !== 200) return
    if (isUnanswered) {
      this.store.simulator.fault({ on: "payout", kind: "drop_after" })
      await send(this.payer, made.data.payout)
    }
    await send(this.payer, made.data.payout, { again: isUnanswered })
    await this.callbacks.allSettled()
  }

  private async orders(): Promise<string[]> {
    return await ordersOf(this.store, this.cart.cartId)
  }

  /** All of the cart and its order; each test begins with an empty table. */
  private async rows(): Promise<TransactionRow[]> {
    return await this.store.module.listTransactions({}, { order: { opened_at: "ASC" }, take: null })
  }

  private async pick(index: number): Promise<string> {
    const ids = (await this.rows()).flatMap(({ transaction_id }) => transaction_id ?? [])
    return ids[index % ids.length] ?? ""
  }

  /** Nobody pushes any more: what callbacks began ends, and the watcher looks until nothing is due. */
  private async comeToRest(): Promise<void> {
    const { module, simulator, container } = this.store
    simulator.clearFaults()
    await this.callbacks.allSettled()
    for (let passes = 0; passes < 40; passes++) {
      const due = (await this.rows()).flatMap(({ watch_at, settled_at }) =>
        watch_at && !settled_at ? watch_at.getTime() : []
      )
      if (!due.length) break
      const wait = Math.min(...due) - module.clock.now().getTime()
      this.jump(Math.max(wait, 0) + (passes < 4 ? 0 : 3 * HOUR))
      await settleDue(this.store)
    }
    await reportMissed(settlePortsOf(container))
  }

  private async check(): Promise<void> {
    const rows = await this.rows()
    const payments = await this.payments()
    const orders = await this.orders()
    const problems = await this.store.module.listProblems({}, { take: null })
    expect(orders.length).toBeLessThanOrEqual(1)

    const captured = payments.filter(
      ({ captures, provider_id }) => captures.length > 0 && provider_id === "pp_sbp_main"
    )
    const collections = captured.map(({ payment_collection_id }) => payment_collection_id)
    expect(new Set(collections).size).toBe(collections.length)
    for (const { data, captures, amount } of captured) {
      const row = rows.find(({ transaction_id }) => transaction_id === data.transaction_id)
      expect(captures).toHaveLength(1)
      expect(captures[0]?.amount).toBe(amount)
      expect(kopecks(amount)).toBe(kopecks(row?.accepted?.amount ?? row?.amount ?? ""))
      if (!row?.accepted) expect(this.paidInFull).toContain(row?.transaction_id)
      expect(row?.paid_at).not.toBeNull()
      const reads = this.store.simulator.requests({ on: "get" })
      expect(reads.some(({ path }) => path.includes(row?.transaction_id ?? "?"))).toBe(true)
    }
    for (const row of rows) {
      const { status } = this.store.simulator.transaction(row.transaction_id ?? "")
      const isTaken = captured.some(({ data }) => data.transaction_id === row.transaction_id)
      const isWithAPerson = problems.some(
        ({ transaction_row_id, resolution }) =>
          transaction_row_id === row.id && resolution !== "settled"
      )
      const isCalledPaid = status === "CONFIRMED" || row.paid_at !== null
      expect({ id: row.id, ends: !isCalledPaid || isTaken || isWithAPerson }).toEqual({
        id: row.id,
        ends: true,
      })
      if (row.settled_at) expect(row.published_state).toBe("paid")
    }
    for (const id of orders) {
      const order = await findOrder(this.store, id)
      // An order without its money is one that was placed first: canceled, or a person has it before them, or has decided.
      if (!captured.length && order.status !== "canceled") {
        const ofOrder = rows.filter(({ order_id }) => order_id === id).map((row) => row.id)
        const isOfOrder = ({ order_id, transaction_row_id: row }: (typeof problems)[number]) =>
          order_id === id || (row !== null && ofOrder.includes(row))
        const decided = problems.filter(({ resolution }) => resolution !== "settled")
        expect(decided.filter(isOfOrder)).not.toEqual([])
      }
    }
  }

  /** Money that went back is refunded and booked once, and a person knows of what is owed or must go back. */
  private async checkMoney(): Promise<void> {
    const { container, module } = this.store
    const payments = await this.payments()
    const proven = await proofs(this.store)
    const rows = await this.rows()
    const problems = await module.listProblems({}, { take: null })
    const collections = payments.map(({ payment_collection_id }) => payment_collection_id)
    const medusa = new MedusaReader(container)
    const orderIds = await Promise.all(collections.map((id) => medusa.findOrderId(id)))
    for (const order of await medusa.listOrderMoney(orderIds.flatMap((id) => id ?? []))) {
      const own = payments.filter(({ payment_collection_id: id }) =>
        order.collectionIds.includes(id)
      )
      const bookings = await new MedusaReader(container).listBookings(order.id, {
        reference: "refund",
      })
      const refunds = own.flatMap((payment) => payment.refunds.map(({ id }) => id))
      expect(bookings.map(({ referenceId }) => referenceId).sort()).toEqual(refunds.sort())
      const held = sumOf(own.flatMap(({ captures }) => captures.map(toText)))
      const back = sumOf(own.flatMap((payment) => payment.refunds.map(toText)))
      const isUneven = order.isCanceled
        ? compareAmounts(held, back) > 0
        : Math.abs(Number(order.outstanding)) > 0.005
      const ofOrder = rows
        .filter((row) => order.collectionIds.includes(row.payment_collection_id))
        .map(({ id }) => id)
      const isKnown = problems.some(
        ({ order_id, transaction_row_id: rowId, resolution }) =>
          (order_id === order.id || (rowId !== null && ofOrder.includes(rowId))) &&
          resolution !== "settled"
      )
      const isToldOf = { order: order.displayId, outstanding: order.outstanding, known: true }
      if (isUneven) expect({ ...isToldOf, known: isKnown }).toEqual(isToldOf)
    }
    for (const payment of payments.filter((one) => one.provider_id === "pp_sbp_main")) {
      const row = rows.find(({ transaction_id: id }) => id === payment.data.transaction_id)
      const back = sumOf(proven.filter(({ transaction_row_id: id }) => id === row?.id))
      if (row?.settled_at) expect(sumOf(payment.refunds.map(toText))).toBe(back)
    }
  }

  /** Medusa's payments of this story: each begins with an empty table. */
  private async payments() {
    const query = this.store.container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    const fields = ["id", "amount", "data", "payment_collection_id", "provider_id", "captures.*"]
    const { data } = await query.graph({ entity: "payment", fields: [...fields, "refunds.*"] })
    return data as unknown as {
      id: string
      amount: number
      payment_collection_id: string
      provider_id: string
      data: { transaction_id: string }
      captures: Part[]
      refunds: Part[]
    }[]
  }

  private async describe(): Promise<string> {
    if (!this.payment) return ""
    const rows = await this.rows()
    return JSON.stringify(
      {
        rows,
        problems: await this.store.module.listProblems({}, { take: null }),
        payments: await this.payments(),
        orders: await ordersOf(this.store, this.cart.cartId),
        service: rows.map(({ transaction_id }) =>
          this.store.simulator.transaction(transaction_id ?? "")
        ),
      },
      null,
      1
    )
  }
}
