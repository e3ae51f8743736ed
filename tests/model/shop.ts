import { subtractAmounts } from "../../src/settlement/amount"
import { Refusal } from "./processes"

/** Medusa's records, as far as a payment touches them. Amounts are decimal text, unrounded. */
export interface Cart {
  id: string
  total: string
  currency: string
  collectionId: string
  orderId: string | null
}

export interface Collection {
  id: string
  amount: string
  currency: string
  /** None for a payment link of an order. */
  cartId: string | null
  orderId: string | null
}

export interface Session {
  id: string
  collectionId: string
  provider: "ours" | "other"
  amount: string
  currency: string
  status: string
  data: { transaction_id: string | null; session_id: string }
  paymentId: string | null
}

export interface Payment {
  id: string
  sessionId: string
  collectionId: string
  /** Our row, for a payment of ours. */
  rowId: string | null
  amount: string
  currency: string
  capturedAt: number | null
  canceledAt: number | null
  refunds: Refund[]
  /** The order whose balance shows it. */
  bookedOn: string | null
  /** The completion that it was made in has failed after that. */
  hasLostItsOrder: boolean
}

/** Core writes it down before it asks the provider, and deletes it when that refuses. */
export interface Refund {
  id: string
  amount: string
  /** When core wrote it down. */
  since: Date
  /** The provider has let it through. */
  isAllowed: boolean
}

/** A refund on the balance of an order. Core names the payment instead of the refund when it cancels the order. */
interface RefundBooking {
  id: string
  orderId: string
  referenceId: string
  /** Less than nothing. */
  amount: string
}

/** A change that will lower what an order is worth by what a refund paid back. */
interface OpenCredit {
  id: string
  orderId: string
  refundId: string
  amount: string
}

export interface Order {
  id: string
  cartId: string
  total: string
  /** By how much refunds have lowered what it is worth. */
  credited: string
  currency: string
  canceledAt: number | null
  /** The payment of ours for which it was copied to a new order. */
  copiedFor: string | null
  /** Its completion has come to its end. */
  isPlaced: boolean
  /** Its totals over time, each with the moment from which it counted; the last is `total`. */
  totals: { total: string; since: number }[]
}

export class Shop {
  readonly carts = new Map<string, Cart>()
  readonly collections = new Map<string, Collection>()
  readonly sessions = new Map<string, Session>()
  readonly payments = new Map<string, Payment>()
  readonly orders = new Map<string, Order>()
  refundBookings: RefundBooking[] = []
  openCredits: OpenCredit[] = []
  stock = 3
  /** The next completion fails after all of its work is done. */
  failsAtTheEnd = false
  /** The holder of a cart, and when its lock ends if the holder dies. */
  readonly cartLocks = new Map<string, { holder: number; until: number; since: number }>()
  private made = 0

  nextId(kind: string): string {
    return `${kind}_${++this.made}`
  }

  addCart(total: string, currency = "rub"): Cart {
    const collectionId = this.nextId("paycol")
    const cart: Cart = { id: this.nextId("cart"), total, currency, collectionId, orderId: null }
    this.carts.set(cart.id, cart)
    const collection = { id: collectionId, amount: total, currency, cartId: cart.id, orderId: null }
    this.collections.set(collectionId, collection)
    return cart
  }

  /** A payment link of an order, or what an edit of it has made to be paid. */
  addCollection(order: Pick<Order, "id" | "currency">, amount: string): Collection {
    const { id: orderId, currency } = order
    const collection = { id: this.nextId("paycol"), amount, currency, cartId: null, orderId }
    this.collections.set(collection.id, collection)
    return collection
  }

  cart(id: string): Cart {
    return existing(this.carts, id)
  }

  collection(id: string): Collection {
    return existing(this.collections, id)
  }

  payment(id: string): Payment {
    return existing(this.payments, id)
  }

  order(id: string): Order {
    return existing(this.orders, id)
  }

  /** The order of a collection; a completion that failed may have left it nothing but a link. */
  orderOf(collectionId: string): Order | null {
    return this.orders.get(this.collection(collectionId).orderId ?? "") ?? null
  }

  collectionsOf(orderId: string): Collection[] {
    return [...this.collections.values()].filter((collection) => collection.orderId === orderId)
  }

  /** Payments of an order that Medusa holds, in whatever collection. */
  paymentsOf(orderId: string): Payment[] {
    return this.collectionsOf(orderId).flatMap(({ id }) => this.heldPayments(id))
  }

  /** The sum that an order itself shows as still to be paid; negative when too much was paid. */
  outstanding(order: Order): string {
    return [...this.payments.values()]
      .filter(({ bookedOn }) => bookedOn === order.id)
      .reduce((owed, { amount }) => subtractAmounts(owed, amount), this.worth(order))
  }

  /** An order's total, less the refunds that it has. */
  worth({ id, total, credited }: Order): string {
    return this.refundBookings
      .filter(({ orderId }) => orderId === id)
      .reduce((sum, { amount }) => subtractAmounts(sum, amount), subtractAmounts(total, credited))
  }

  /** Books refunds on an order, unless there is a booking that names the same. */
  bookRefunds(orderId: string, refunds: { id: string; amount: string }[]): RefundBooking[] {
    const isBooked = (id: string) =>
      this.refundBookings.some(
        ({ referenceId, ...booking }) => referenceId === id && booking.orderId === orderId
      )
    const made = refunds
      .filter(({ id }) => !isBooked(id))
      .map(({ id: referenceId, amount }) => ({
        id: this.nextId("ordtrx"),
        orderId,
        referenceId,
        amount: subtractAmounts(0, amount),
      }))
    this.refundBookings.push(...made)
    return made
  }

  openCredit(orderId: string, credit: Pick<OpenCredit, "refundId" | "amount">): string {
    if (this.isBeingChanged(orderId)) throw new Refusal(`order ${orderId} is being changed`)
    const id = this.nextId("ordch")
    this.openCredits.push({ id, orderId, ...credit })
    return id
  }

  /** It is confirmed or canceled. */
  endCredit(id: string): OpenCredit {
    const credit = this.openCredits.find((each) => each.id === id)
    if (!credit) throw new Refusal(`${id} was not found`)
    this.openCredits = this.openCredits.filter((each) => each !== credit)
    return credit
  }

  /** Core then makes no other change of the order. */
  isBeingChanged(orderId: string): boolean {
    return this.openCredits.some((credit) => credit.orderId === orderId)
  }

  deleteBookings(ids: string[]): void {
    this.refundBookings = this.refundBookings.filter(({ id }) => !ids.includes(id))
  }

  sessionsOf(collectionId: string): Session[] {
    return [...this.sessions.values()].filter((session) => session.collectionId === collectionId)
  }

  /** Payments of a collection that Medusa holds. */
  heldPayments(collectionId: string): Payment[] {
    return [...this.payments.values()].filter(
      (payment) => payment.collectionId === collectionId && payment.canceledAt === null
    )
  }

  paymentsOfRow(rowId: string): Payment[] {
    return [...this.payments.values()].filter((payment) => payment.rowId === rowId)
  }
}

function existing<T>(records: Map<string, T>, id: string): T {
  const record = records.get(id)
  if (!record) throw new Refusal(`${id} was not found`)
  return record
}
