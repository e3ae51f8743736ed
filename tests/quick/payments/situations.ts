import {
  decide,
  type Decision,
  type MedusaState,
  type OrderPlacement,
  type SessionState,
  type TransactionRead,
} from "../../../src/payments/rules/decide"
import { aTransactionRow } from "../a-row"
import { differenceText } from "../../../src/problems/rules/reasons"
import type { StatusNames, Transaction } from "../../../src/payments/rules/transaction"

/** Names that no code can have built in. */
export const STATUSES: StatusNames = {
  paid: ["Done", "Settled"],
  pending: ["PENDING", "Waiting"],
  canceled: ["CANCELED", "Declined"],
  expired: ["TooLate"],
  reversed: ["TakenBack"],
}

export const MERCHANT = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
export const OTHER_MERCHANT = "ffffffff-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
export const OPENED_AT = new Date("2026-03-01T12:00:00.000Z")
export const EXPIRES_AT = new Date("2026-03-01T12:15:00.000Z")
/** Well before the transaction expires. */
export const NOW = new Date("2026-03-01T12:05:00.000Z")

/** Asked for, and nothing read yet. */
export function aRow(patch: Partial<Transaction> = {}): Transaction {
  const [transaction_id, cart_id, order_id, status] = [null, null, null, null]
  const exceptions = { exception_at: null, exception_reasons: null }
  const reads = { read_amount: null, read_currency: null, read_at: null, claimed_until: null }
  const times = { deferred_at: null, hinted_at: null, watch_at: null }
  return aTransactionRow({
    ...{ transaction_id, cart_id, order_id, status, merchant_id: MERCHANT },
    ...{ ...exceptions, ...reads, ...times, opened_at: OPENED_AT, expires_at: EXPIRES_AT },
    ...patch,
  })
}

/** Paid, and everything as asked for. */
export function aRead(patch: Partial<TransactionRead> = {}): TransactionRead {
  return {
    status: "Done",
    amount: "1199.99",
    currency: "RUB",
    merchantId: MERCHANT,
    payload: "pstx_01",
    ...patch,
  }
}

/** The session as Medusa holds it: unrounded, currency in lower case. */
export function aSession(
  patch: Partial<NonNullable<MedusaState["session"]>> = {}
): NonNullable<MedusaState["session"]> {
  return { id: "payses_01", status: "pending", amount: "1199.988", currency: "rub", ...patch }
}

export function aCart(
  patch: Partial<NonNullable<MedusaState["cart"]>> = {}
): NonNullable<MedusaState["cart"]> {
  return { id: "cart_01", total: "1199.988", currency: "rub", ...patch }
}

export function aPayment(
  patch: Partial<NonNullable<MedusaState["payment"]>> = {}
): NonNullable<MedusaState["payment"]> {
  return { id: "pay_01", isCaptured: false, isCanceled: false, ...patch }
}

/** An order that is paid, or that something can still pay for. */
export function anOrder(
  patch: Partial<NonNullable<MedusaState["order"]>> = {}
): NonNullable<MedusaState["order"]> {
  return {
    id: "order_01",
    isCanceled: false,
    unpaid: null,
    owed: "1199.988",
    promised: "0",
    paidAt: null,
    ...patch,
  }
}

/** A shopper at the checkout: a cart with an open session. */
export function atCheckout(patch: Partial<MedusaState> = {}): MedusaState {
  return {
    session: aSession(),
    payment: null,
    otherPayment: null,
    cart: aCart(),
    order: null,
    ...patch,
  }
}

/** A session of an order or of a collection on its own: nothing is to be completed. */
export function withoutCart(patch: Partial<MedusaState> = {}): MedusaState {
  return atCheckout({ cart: null, ...patch })
}

export function judge(
  situation: {
    row?: Partial<Transaction>
    read?: Partial<TransactionRead>
    medusa?: MedusaState | SessionState | null
    now?: Date
    statuses?: StatusNames
    placement?: OrderPlacement
  } = {}
): Decision {
  return decide({
    row: aRow(situation.row),
    read: aRead(situation.read),
    medusa: situation.medusa === undefined ? atCheckout() : situation.medusa,
    statuses: situation.statuses ?? STATUSES,
    now: situation.now ?? NOW,
    ...(situation.placement ? { placement: situation.placement } : {}),
  })
}

/** The same decision, with its differences as an admin reads them in English. */
export function judgeInWords(situation: Parameters<typeof judge>[0] = {}) {
  const decision = judge(situation)
  return { ...decision, differences: decision.differences.map((each) => differenceText(each).en) }
}

/** All of a decision, to compare with; what is not said is in order, and nothing is to be done. */
export function aDecision(patch: Partial<Record<keyof Decision, unknown>>) {
  const nothing = { exception: null, differences: [], late: false, action: { do: "nothing" } }
  return { ...nothing, state: "pending", sessionStatus: "pending", isMoney: false, ...patch }
}
