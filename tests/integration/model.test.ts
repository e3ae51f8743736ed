import type { RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"
import * as fc from "fast-check"

import type { OrderPlacement } from "../../src/settlement/decide"
import type { TransactionRow } from "../../src/modules/payment-service"
import { reportMissed } from "../../src/workflows/settle/report-settlement"
import { settlePortsOf } from "../../src/workflows/ports"
import { kopecks } from "../model/money"
import { followCallbacks } from "./follow-callbacks"
import { findOrder, type OpenPayment, ordersOf, Shopper } from "./shopper"
import { settleDue } from "./settle-due"
import { describeStore, type TestStore, withOptions } from "./store"

/**
 * The stories of tests/model, told to real Medusa: commands in any order, several of them at the same time,
 * and what must hold when everything has come to rest. A failure names its seed; `SEED=…` repeats it.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Command =
  | { do: "pay"; transaction: number; callback: boolean; share: number }
  | { do: "decline" | "callback" | "poll" | "come back"; transaction: number }
  | { do: "say"; transaction: number; status: string }
  | { do: "choose" | "change cart" | "complete" | "watch" | "cancel order" }
  | { do: "jump"; ms: number }
  | { do: "answer late" | "answer nothing"; times: number }

const transaction = fc.nat({ max: 3 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      transaction,
      callback: fc.boolean(),
      // How much of what was asked for.
      share: fc.constantFrom(1, 1, 1, 1, 0.5, 2),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("decline", "callback", "callback", "poll", "come back"),
      transaction,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      transaction,
      status: fc.constantFrom("PENDING", "EXPIRED", "CHARGEBACKED", "SOMETHING"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "choose",
        "change cart",
        "complete",
        "complete",
        "watch",
        "watch",
        "cancel order"
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("jump" as const),
      ms: fc.constantFrom(5_000, MINUTE, 16 * MINUTE, 20 * MINUTE),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("answer late", "answer nothing"),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  }
)

/** Commands that come one after the other, each with those that come at the same time. */
const story = fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), {
  minLength: 3,
  maxLength: 7,
  size: "max",
})

const isDeep = Boolean(process.env.DEEP)
const SEEDS =
  process.env.SEED === undefined
    ? Array.from({ length: isDeep ? 24 : 2 }, (_, index) => index + 1)
    : [Number(process.env.SEED)]

describeStore("whatever happens to a real store", {}, (store) => {
  describe.each<OrderPlacement>(["after_payment", "before_payment"])("orders %s", (placement) => {
    withOptions(store, () => ({ orderPlacement: placement }))

    it("has that option", async () => {
      expect((await store.module.accounts()).get("main").orderPlacement).toBe(placement)
    })

    const callbacks = followCallbacks()
    it.each(SEEDS)("story %d ends well", async (seed) => {
      const [commands] = fc.sample(story, { seed, numRuns: 1 })
      await new Teller(store, callbacks).tell(commands ?? [])
    })
  })
})

class Teller {
  private readonly shopper: Shopper
  private readonly timeAtStart: TestStore["module"]["clock"]
  private aheadMs = 0
  private payment: OpenPayment | null = null
  /** Transactions that the service has called paid in full at some time. */
  private readonly paidInFull = new Set<string>()

  constructor(
    private readonly store: TestStore,
    private readonly callbacks: ReturnType<typeof followCallbacks>
  ) {
    this.shopper = new Shopper(store)
    this.timeAtStart = store.module.clock
  }

  async tell(story: Command[][]): Promise<void> {
    const { module } = this.store
    module.clock = { now: () => new Date(this.timeAtStart.now().getTime() + this.aheadMs) }
    try {
      this.payment = await this.shopper.checkout()
      for (const atOnce of story) {
        await Promise.all(atOnce.map((each) => this.obey(each)))
      }
      await this.comeToRest()
      await this.check()
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
        await settleDue(container, 100)
        return
      case "cancel order":
        for (const id of await ordersOf(this.store, this.cart.cartId)) {
          await cancelOrderWorkflow(container).run({ input: { order_id: id }, throwOnError: false })
        }
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

  private async rows(): Promise<TransactionRow[]> {
    return await this.store.module.listTransactions(
      { payment_collection_id: this.cart.collectionId },
      { order: { opened_at: "ASC" }, take: null }
    )
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
      await settleDue(container, 100)
    }
    await reportMissed(settlePortsOf(container))
  }

  private async check(): Promise<void> {
    const rows = await this.rows()
    const payments = await this.payments()
    const orders = await ordersOf(this.store, this.cart.cartId)
    const problems = await this.store.module.listProblems({}, { take: null })
    expect(orders.length).toBeLessThanOrEqual(1)

    const captured = payments.filter(({ captures }) => captures.length > 0)
    expect(captured.length).toBeLessThanOrEqual(1)
    for (const { data, captures, amount } of captured) {
      const row = rows.find(({ transaction_id }) => transaction_id === data.transaction_id)
      expect(captures).toHaveLength(1)
      expect(captures[0]?.amount).toBe(amount)
      expect(kopecks(String(amount))).toBe(kopecks(row?.amount ?? ""))
      expect(this.paidInFull).toContain(row?.transaction_id)
      expect(row?.paid_at).not.toBeNull()
      const reads = this.store.simulator.requests({ on: "get" })
      expect(reads.some(({ path }) => path.includes(row?.transaction_id ?? "?"))).toBe(true)
    }
    for (const row of rows) {
      const { status } = this.store.simulator.transaction(row.transaction_id ?? "")
      const isInOrder =
        orders.length === 1 &&
        captured.some(({ data }) => data.transaction_id === row.transaction_id)
      const isWithAPerson = problems.some(
        ({ transaction_row_id, resolution }) =>
          transaction_row_id === row.id && resolution !== "settled"
      )
      const isCalledPaid = status === "CONFIRMED" || row.paid_at !== null
      expect({ id: row.id, ends: !isCalledPaid || isInOrder || isWithAPerson }).toEqual({
        id: row.id,
        ends: true,
      })
      if (row.settled_at) expect(row.told_state).toBe("paid")
    }
    for (const id of orders) {
      const order = await findOrder(this.store, id)
      const isPaid = captured.length === 1
      // An order without its money is one that was placed first: canceled, or with a person by now.
      if (!isPaid && order.status !== "canceled") {
        expect(problems.filter(({ closed_at }) => closed_at === null)).not.toEqual([])
      }
      if (isPaid && order.status !== "canceled") expect(order.transactions).toHaveLength(1)
    }
  }

  private async payments() {
    const query = this.store.container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({
      entity: "payment_collection",
      fields: [
        "payments.id",
        "payments.amount",
        "payments.data",
        "payments.canceled_at",
        "payments.captures.amount",
      ],
      filters: { id: this.cart.collectionId },
    })
    const [collection] = data as unknown as {
      payments?: {
        id: string
        amount: number
        data: { transaction_id: string }
        captures: { amount: number }[]
      }[]
    }[]
    return collection?.payments ?? []
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
