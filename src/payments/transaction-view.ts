import type { MedusaContainer } from "@medusajs/framework/types"

import { MedusaReader } from "../medusa/reader"
import { paymentServiceModule } from "../modules/payment-service"
import type { PayerRow, TransactionRow } from "../modules/payment-service/tables"
import { problemOf, textOf } from "../problems/rules/problems"
import { textWithWords } from "../problems/rules/reasons"
import { type Code, NOTHING, text } from "../texts"
import { toWireAmount } from "../values/amount"
import { refundedOf } from "./rules/ledger"
import * as rules from "./rules/transaction"

export type PayerState = "pending" | "paid" | "canceled" | "expired" | "problem"

/** A request's proofs of who makes it. */
interface Asker {
  /** A payment session, perhaps of an earlier attempt; or our row's id, the return id in addresses that other browsers see. */
  id: string
  /** The cart that the payer's browser has. */
  cartId: string | null
  /** The payment link that the payer has. */
  collectionId: string | null
}

const isReturnId = (id: string) => id.startsWith("pstx_")

/**
 * The answer to the storefront's poll. Core's store API answers name and address of the customer for an order's id, so only who began
 * the payment of the cart is told it. By a return id alone, a payer is told what became of the payment.
 */
export function payerView(row: PayerRow, { id, cartId, collectionId }: Asker, now: Date) {
  const view = { ...wholeView(row, now), id }
  if (isOfCart(row, id) || (cartId !== null && cartId === row.cart_id)) return view
  return isReturnId(id) && collectionId !== row.payment_collection_id
    ? { ...view, ...NOT_FOR_OTHER_BROWSERS }
    : { ...view, order_id: null }
}

/**
 * Whether a session was begun for a cart. Once there is an order, whoever has a payment link can begin one, or resume the cart's;
 * not if the money came first, because nothing is left to pay then.
 */
function isOfCart(row: PayerRow, id: string): boolean {
  if (row.cart_id === null || isReturnId(id)) return false
  return row.began_cart || (row.settled_at !== null && !row.is_order_first)
}

const NOTHING_TO_PAY = { redirect: null, qr: null, expires_at: null, usdt_rate: null }

/** Other browsers show no code and begin no further attempt: they only say how it ended. */
const NOT_FOR_OTHER_BROWSERS = {
  ...NOTHING_TO_PAY,
  order_id: null,
  provider_id: null,
  payment_collection_id: null,
  payable_again: false,
  open_attempt: null,
} satisfies Partial<Record<keyof ReturnType<typeof wholeView>, unknown>>

function wholeView(row: PayerRow, now: Date) {
  const state = payerState(row)
  // An order that was placed before its payment is canceled when its time to pay ends; one that is owed more is not.
  const isLapsed = row.order_id !== null && row.cart_id !== null
  const view = {
    state,
    /** The last part of the address to which the service returns the payer. */
    return_id: row.asked_id,
    order_id: row.order_id,
    order_display_id: row.order_display_id,
    redirect: row.redirect,
    /** The service's QR data: text or an address; null until the first read. */
    qr: row.qr,
    expires_at: row.expires_at?.toISOString() ?? null,
    method: row.method,
    amount: row.amount,
    currency: row.currency,
    /** As the service's creation gave it; which way it counts is not shown. */
    usdt_rate: row.figures?.usdt_rate ?? null,
    paid_at: row.paid_at?.toISOString() ?? null,
    /** A short number that the dashboard's search finds; null until the service has given an id. */
    reference: row.transaction_id?.slice(0, 8) ?? null,
    /** A further attempt needs only these two, and neither cookie nor cart. */
    provider_id: rules.providerIdOf(row),
    payment_collection_id: row.payment_collection_id,
    payable_again: state === "canceled" || (state === "expired" && !isLapsed),
    /** The attempt that can be paid instead of this one, when another was begun since. */
    open_attempt: row.open_since,
    /** This store's time, on which a countdown is based. */
    server_time: now.toISOString(),
  }
  const { sum_since: sum, currency_since: currency, is_owed_since: isOwed } = row
  if (sum === null || currency === null) return view
  // The cart has changed or another way to pay was chosen since, and `amount` is what is to be paid now.
  const since = { amount: toWireAmount(sum), currency: currency.toUpperCase() }
  const isPayable = isOwed === true && (state === "pending" || view.payable_again)
  const changed = { ...view, ...since, payable_again: isPayable }
  return state === "pending"
    ? { ...changed, ...NOTHING_TO_PAY, state: "replaced", order_id: row.order_since }
    : changed
}

/** `problem`: money came, and a person has to look. While an order is retried automatically, its payment is `paid`. */
export function payerState(row: TransactionRow): PayerState {
  const { state } = row
  if (state === "paid") return rules.needsPerson(row) ? "problem" : "paid"
  if (state === "refused") return "canceled"
  return state === "canceled" || state === "expired" ? state : "pending"
}

const LISTED = [
  "id",
  "transaction_id",
  "account",
  "merchant_id",
  "method",
  "state",
  "exception",
  "status",
  "amount",
  "currency",
  "read_amount",
  "read_currency",
  "paid_late",
  "session_id",
  "payment_collection_id",
  "cart_id",
  "order_id",
  "customer_id",
  "opened_at",
  "expires_at",
  "paid_at",
  "settled_at",
  "handled_at",
  "read_at",
] as const satisfies (keyof TransactionRow)[]

const SHOWN = [
  ...LISTED,
  "base_url",
  "description",
  "redirect",
  "qr",
  "apply_attempts",
  "apply_after",
  "watch_at",
  "hinted_at",
  "deferred_at",
] as const satisfies (keyof TransactionRow)[]

/** The numbers of the rows' orders, and the sums that went back. */
type Beside = { numbers: Map<string, number>; refunded: Map<string, string> }

/** The sums of these payments that went back, by row. */
export async function findRefunded(scope: MedusaContainer, rows: { id: string }[]) {
  return refundedOf(await paymentServiceModule(scope).ledger.of(rows.map(({ id }) => id)))
}

/** The figures of a payment for which the service gave none. */
export const NO_FIGURES = {
  usdt_rate: null,
  amount_usdt: null,
  commission: null,
  commission_usdt: null,
}

export const listedTransaction = (row: TransactionRow, beside: Beside) =>
  viewOf(row, LISTED, beside)

export function shownTransaction(row: TransactionRow, beside: Beside) {
  return { ...viewOf(row, SHOWN, beside), ...NO_FIGURES, ...row.figures }
}

function viewOf<Column extends keyof TransactionRow>(
  row: TransactionRow,
  columns: readonly Column[],
  { numbers, refunded }: Beside
) {
  const view = {} as Pick<TransactionRow, Column>
  for (const column of columns) view[column] = row[column]
  // Written as JSON, an object spread of two would leave a kilobyte of old memory for each row of an export, until Node collects it.
  return Object.assign(view, {
    /** The sum that came and that the store has, or had before a refund; null when nothing came. */
    paid_amount: rules.wasPaid(row) ? rules.paidSum(row).amount : null,
    refunded_amount: refunded.get(row.id) ?? null,
    provider_id: rules.providerIdOf(row),
    accepted_amount: row.accepted?.amount ?? null,
    standing: rules.listedStandingOf(row, refunded.get(row.id)),
    order_number: numbers.get(row.order_id ?? "") ?? null,
  })
}

/** An order's payments for admins, first those with money, however many came later. Only the one to be paid now has its address and QR. */
export async function paymentsOfOrder(scope: MedusaContainer, orderId: string, limit: number) {
  const module = paymentServiceModule(scope)
  const [rows, [order]] = await Promise.all([
    module.transactionList.page({ order_id: orderId }, { order: "-paid_at", limit }),
    new MedusaReader(scope).listOrderMoney([orderId]),
  ])
  const owed = order && !order.isCanceled ? order.owed : null
  const offered = rules.paymentToOffer(rows, owed, module.clock.now())
  return rules
    .withMoneyFirst(rows)
    .map((row) => (row.id === offered?.id ? row : { ...row, redirect: null, qr: null }))
}

/** The answer to "the customer says they paid", by the code of its sentence. */
const VERDICTS = {
  opening: "uncertain",
  unanswered: "uncertain",
  not_opened: "not_opened",
  payable: "not_paid_yet",
  time_over: "not_paid",
  // An answer from before the end says nothing about money that came after it.
  time_over_unread: "uncertain",
  over: "not_paid",
  waiting_for_medusa: "paid_order_pending",
  settled: "paid",
  taken_care_of: "taken_care_of",
} as const satisfies Record<Code<"verdicts">, string>

export function verdictOf(row: TransactionRow, now: Date) {
  const trouble = problemOf(row)
  const standing = rules.standingOf(row)
  if (standing === "waiting_for_person" || (trouble && standing !== "taken_care_of")) {
    const status = row.status ?? ""
    const messages = trouble ? textOf(trouble) : { en: status, ru: status }
    return { kind: standing === "payable" ? "uncertain" : "needs_person", messages }
  }
  const isReadSince = row.read_at !== null && rules.isTimeOver(row, row.read_at)
  const isOver = standing === "payable" && rules.isTimeOver(row, now)
  const over = isReadSince ? "time_over" : "time_over_unread"
  const code = isOver ? over : standing
  const [reason] = row.exception_reasons ?? []
  // Of a creation that failed, the service's words; nothing for a process that died before it knew.
  const isRefusal = reason && "code" in reason
  const why = isRefusal ? text("problems", "why", { why: textWithWords(reason) }) : NOTHING
  const moments: Partial<Record<typeof code, Date | number | null>> = {
    waiting_for_medusa: row.paid_at,
    settled: row.settled_at,
    taken_care_of: rules.handledAtOf(row),
  }
  const at = new Date(moments[code] ?? now).toISOString()
  const end = rules.endOfTimeToPay(row).toISOString()
  const facts = { paid: rules.paidSum(row), why, status: row.status, end, at }
  return { kind: VERDICTS[code], messages: text("verdicts", code, facts) }
}
