import { type Admin, logIn } from "../admin"
import { CARDS, type PayoutUser, send, signedIn } from "../payouts/payouts-of"
import { findOrder, type OpenPayment, Shopper } from "../shopper"
import { settledRow, type TestStore } from "../store"

export interface Bought extends OpenPayment {
  orderId: string
  paymentId: string
}

interface People {
  admin: Admin
  /** Pays out. */
  anna: PayoutUser
  shopper: Shopper
}

export type RefundsByPayout = ReturnType<typeof refundsByPayout>

/** Lets the time pass after which the watcher does what a dead process left; returns what puts the clock back. */
export function aMinuteLater({ module }: TestStore): () => void {
  const { clock } = module
  module.clock = { now: () => new Date(clock.now().getTime() + 61_000) }
  return () => {
    module.clock = clock
  }
}

/** The people and steps that the tests of refunds by payout share. The people are there while a test runs. */
export function refundsByPayout(store: TestStore) {
  const people = {} as People
  beforeEach(async () => {
    people.admin = await logIn(store)
    people.anna = await signedIn(store, "Anna")
    people.shopper = new Shopper(store)
    store.simulator.configure({ usdtBalance: 1_000_000, payoutsEnabled: true })
  })

  const buy = async (quantity = 1): Promise<Bought> => {
    const payment = await people.shopper.checkout("sbp", quantity === 1 ? undefined : { quantity })
    await store.simulator.pay(payment.data.transaction_id)
    const { order_id } = await settledRow(store, payment.sessionId)
    const order = await findOrder(store, order_id ?? "")
    const paymentId = order.payment_collections[0]?.payments[0]?.id ?? ""
    return { ...payment, orderId: order.id, paymentId }
  }
  const refund = async ({ paymentId }: Bought, amount: number) =>
    await people.admin.post(`/admin/payments/${paymentId}/refund`, { amount })
  /** Core asks our provider for a refund, which it refuses: no money has gone back. */
  const ask = async (paid: Bought, amount: number) => {
    expect((await refund(paid, amount)).status).toBe(400)
  }
  /** The refunds that Medusa has booked, the largest first. */
  const refundsOf = async ({ paymentId }: Bought) => {
    const refunds = await store.container.resolve("payment").listRefunds({ payment_id: paymentId })
    return refunds.map(({ amount }) => Number(amount)).sort((one, other) => other - one)
  }
  /** Makes a payout and sends it; one that is refused is discarded again. */
  const tried = async (body: object) => {
    const { anna } = people
    const made = await anna.post("payouts", { card_id: CARDS[0], ...body })
    if (made.status !== 200) return made
    const sent = await send(anna, made.data.payout)
    if (sent.status !== 200) await anna.delete(`payouts/${made.data.payout.id}`)
    return sent
  }
  return { people, buy, refund, ask, refundsOf, tried }
}
