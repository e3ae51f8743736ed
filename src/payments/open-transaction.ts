import { atLabelledPoint } from "../database/labelled-points"
import type { SessionSubject } from "../medusa/reader"
import type { Buyer } from "../medusa/buyer"
import type { Accounts, TransactionRow } from "../modules/payment-service"
import { withoutCardNumbers } from "../payouts/rules/card-text"
import { problem } from "../problems/rules/problems"
import { reasonOf, refusedPayment } from "../refusals/refused"
import { TIMEOUTS } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { compareSums, isOwed, toWireAmount } from "../values/amount"
import { lookAt, type Ports, reportRefusedCredentials, toMedusaError } from "./read-transaction"
import { merchantAccountOf, providerIdOf } from "./rules/transaction"
import type { PaymentTarget } from "./statements/transactions"

/** The time to pay of older ones is over. */
const MOST_LOOKED_AT = 10
/** A read this recent is not repeated, because the request for a session has just made it. */
const FRESH_MS = 2_000
/** Longer descriptions are cut, so that no bank or service refuses them. */
const LONGEST_DESCRIPTION = 200
/** An open payment with less time left than this is not offered again. */
const LEAST_TIME_TO_PAY_MS = 60_000
const LEAST_LOOK_MS = 200
const LEAST_CREATION_MS = 1_000
/** Failed creations with one method are told after so many in a row, or when the last was asked for so long after the first. */
const FAILURES_OF_AN_OUTAGE = 5
const OUTAGE_MS = 2 * 60_000
/** A second tab waits for the first one's opening, so that both show one payment, but leaves itself time for its own. */
const OPENING = { ttlMs: 15_000, waitMs: 5_000, longestMs: 30_000 }

interface OpenTransactionInput {
  sessionId: string
  method: string
  /** Numeric method code of the service (specification, `paymentMethod`). */
  methodCode: number
  /** Decimal text, unrounded, in Medusa's currency. */
  amount: string
  currency: string
  clientIp: string | null
  /** In milliseconds of `Date.now()`: the shopper's request, which holds the opening, is answered by then. Null when nobody holds it. */
  deadline: number | null
}

/**
 * Gives a payment session a transaction at the service: the one that is still open for the same cart, method and amount, else a
 * new one. Our row is written before the call and completed after it, so no transaction is without a row.
 *
 * @throws MedusaError with a sentence for the shopper; `NOT_ALLOWED` when it is paid already, or when too many were opened
 */
export async function openTransaction(ports: Ports, input: OpenTransactionInput) {
  const deadline = Math.min(Date.now() + TIMEOUTS.createMs, input.deadline ?? Infinity)
  const { module, medusa } = ports
  const accounts = await module.accounts()
  const subject = await medusa.findSessionSubject(input.sessionId)
  const open = () => openOrResume(ports, accounts, subject, input, deadline)
  const target = subject.orderId ?? subject.collectionId
  return await (input.deadline === null ? holdOpening(module, target, open) : open())
}

/** Runs `work` while nobody else opens a payment of this order or collection; throws `UNEXPECTED_STATE` when that takes too long. */
export const holdOpening = <T>(
  { leases }: Ports["module"],
  target: string,
  work: () => Promise<T>
) => leases.hold(`opening:${target}`, OPENING, work)

async function openOrResume(
  ports: Ports,
  accounts: Accounts,
  origin: SessionSubject,
  input: OpenTransactionInput,
  deadline: number
): Promise<TransactionRow> {
  const { module, medusa } = ports
  const { cartId, collectionId, orderId, providerId } = origin
  // The provider entry's `id`, which is the account at the service.
  const account = providerId.slice(`pp_${input.method}_`.length)
  const options = accounts.get(account)
  const currency = input.currency.toUpperCase()
  if (!options.currencies.includes(currency)) {
    throw refusedPayment("other_currency", { currencies: options.currencies.join(", "), currency })
  }
  const amount = toWireAmount(input.amount)
  if (Number(amount) <= 0) throw refusedPayment("nothing_to_pay")

  const lookMs = Math.max(deadline - Date.now(), LEAST_LOOK_MS)
  const [{ order, open }, buyer] = await Promise.all([
    payableTransactions(ports, accounts, origin, lookMs),
    medusa.findBuyer(origin),
  ])
  // Core rolls back an order that fails at its end, but a payment link may have been made for it before that.
  if (orderId && !order) throw refusedPayment("order_not_placed")
  if (order && compareSums(amount, order.owed) > 0) {
    const owed = { amount: toWireAmount(order.owed), currency }
    throw refusedPayment("more_than_owed", { owed, asked: { amount, currency } })
  }
  const now = module.clock.now().getTime()
  const resumable = open.find(
    (row) =>
      row.payment_collection_id === collectionId &&
      providerIdOf(row) === providerId &&
      row.base_url === options.baseUrl &&
      row.merchant_id === options.merchantId &&
      row.amount === amount &&
      row.currency === currency &&
      row.redirect !== null &&
      (!row.expires_at || row.expires_at.getTime() - now > LEAST_TIME_TO_PAY_MS)
  )
  if (resumable) {
    return await module.transactions.change(resumable.id, { session_id: input.sessionId })
  }
  const { perCart } = accounts.store.creationLimits
  if ((await module.openings.countRecent(collectionId)) >= perCart) {
    module.logger.warn(`Payment Service: creationLimits.perCart is reached in ${collectionId}`)
    throw refusedPayment("perCart")
  }
  const [guest = null] = buyer.email ? await module.guestPayerIds(buyer.email) : []
  const payer = buyer.customerId && !buyer.isGuest ? buyer.customerId : guest
  // The service may disable a merchant that must send an id and does not.
  if (!payer && options.payer.userId === "required") throw refusedPayment("needs_email")
  const metadata = {
    userId: payer ?? undefined,
    userName: (options.payer.name && buyer.payerName) || undefined,
    clientIp: (options.payer.ip !== "off" && input.clientIp) || undefined,
  }
  const description = describePayment(options.description, {
    ...buyer,
    storeName: options.storefronts[buyer.salesChannelId ?? ""]?.name ?? origin.storeName,
    sum: `${amount} ${currency}`,
  })
  const row = await module.openings.recordAsked({
    account,
    base_url: options.baseUrl,
    merchant_id: options.merchantId,
    method: input.method,
    session_id: input.sessionId,
    payment_collection_id: collectionId,
    cart_id: cartId,
    order_id: order?.id ?? null,
    customer_id: buyer.customerId,
    payer_id: payer,
    amount,
    currency,
    // A product may be named by anything, and no card number is kept.
    description: withoutCardNumbers(description),
  })
  await atLabelledPoint("creation:written")
  const back = `${accounts.backendUrl}/payment-service/return/${row.id}`
  const request = {
    paymentMethod: input.methodCode,
    description,
    metadata,
    amount,
    currency,
    returnUrl: `${back}?hint=success`,
    failedUrl: `${back}?hint=failure`,
    payload: row.id,
  }
  const leftMs = Math.max(deadline - Date.now(), LEAST_CREATION_MS)
  const timeoutMs = Math.min(TIMEOUTS.createMs, leftMs)
  const creating = accounts.client(options).createTransaction(request, { timeoutMs })
  const created = await creating.catch(async (error: unknown) => {
    await recordFailure(ports, row, error)
    throw toMedusaError(error, true)
  })
  await atLabelledPoint("creation:answered")
  return await module.openings.recordCreated(row, created)
}

/** Records a failed creation with the service's words, and opens a problem when no payment can be opened with its method. */
async function recordFailure({ module }: Ports, row: TransactionRow, error: unknown) {
  const isOfService = error instanceof PaymentServiceError
  const isStray = !isOfService || error.mayHaveTakenEffect
  module.logger.error(
    `Payment Service: creating transaction ${row.id} failed` +
      `${isStray ? ", it may exist there without our knowing its id" : ""}: ${reasonOf(error)}`
  )
  const reason = isOfService ? { code: error.kind, detail: error.detail ?? "" } : null
  await module.openings.recordFailed(row.id, isStray ? "unknown" : "refused", reason)
  const merchant = merchantAccountOf(row)
  await reportRefusedCredentials(module, merchant, error)
  if (!reason || reason.code === "unauthorized") return
  const { method } = row
  const { failures, since } = await module.openings.failuresInARow(merchant, method)
  const lastedMs = Number(row.opened_at) - Number(since)
  if (!since || (failures < FAILURES_OF_AN_OUTAGE && lastedMs < OUTAGE_MS)) return
  const facts = { ...merchant, method, failures, since: since.toISOString(), reason }
  await module.problems.report(problem("payments_not_opened", facts), {}, since)
}

/**
 * The one look before a payment is opened: its order, if it has one, and the transactions that can still be paid, each freshly read.
 *
 * @throws MedusaError `NOT_ALLOWED` when the target is paid, or a payment for it is being taken
 */
export async function payableTransactions(
  ports: Ports,
  accounts: Accounts,
  target: PaymentTarget,
  lookMs?: number
) {
  const { module, medusa } = ports
  const { paid: known, watched } = await module.openings.findOthers(target, MOST_LOOKED_AT)
  if (known) throw await alreadyPaid(module, known, target)
  // The order is read after the rows, so that a payment which is just being taken is seen in one of the two.
  const order = target.orderId ? await medusa.findOrderMoney(target.collectionId) : null
  if (order?.isCanceled) throw refusedPayment("order_canceled")
  if (order && !isOwed(order.owed)) throw refusedPayment("order_paid")
  const look = async (row: TransactionRow) => {
    const isFresh = Number(module.clock.now()) - Number(row.read_at) < FRESH_MS
    return isFresh ? row : await lookAt(module, accounts, row, lookMs)
  }
  const looked = await Promise.all(watched.map(look))
  const paid = looked.find((row) => row.paid_at)
  if (paid) throw await alreadyPaid(module, paid, target)
  return { order, open: looked.filter((row) => row.state === "pending") }
}

/** The refusal because this row is paid already; the row is looked at again soon. */
export async function alreadyPaid(
  module: Ports["module"],
  row: TransactionRow,
  { orderId }: PaymentTarget
): Promise<Error> {
  await module.dueTransactions.hint(row.id)
  const target = orderId ? "order" : "cart"
  return refusedPayment(`${target}_${row.exception === null ? "received" : "needs_look"}`)
}

/** Fills in `{store}` and `{items}`. `{cart_id}` is left out: with it, a payer elsewhere could ask the store API who the customer is. */
export function describePayment(
  template: string,
  { items, storeName, sum }: Pick<Buyer, "items"> & { storeName: string; sum: string }
): string {
  const named = items.map(({ title, quantity }) => title + (quantity > 1 ? ` × ${quantity}` : ""))
  const values = { store: storeName, items: named.join(", ") }
  const filled = template
    .replace(/\s?(?:\(\{cart_id\}\)|\{cart_id\})/g, "")
    .replace(/\{(store|items)\}/g, (_, name: keyof typeof values) => values[name])
    .replace(/^[\s:,-]+|[\s:,-]+$/g, "")
  const text = filled || sum
  if (text.length <= LONGEST_DESCRIPTION) return text
  // Half of a character that takes two places is left out, too.
  return `${text.slice(0, LONGEST_DESCRIPTION - 1).replace(/\p{Surrogate}$/u, "")}…`
}
