import type * as Medusa from "@medusajs/framework/types"
import {
  BigNumber,
  ChangeActionType,
  ContainerRegistrationKeys,
  Modules,
  OrderChangeType,
  PaymentEvents,
  PaymentSessionStatus,
} from "@medusajs/framework/utils"
import * as flows from "@medusajs/medusa/core-flows"

import { reasonOf, refusedPayment } from "../refusals/refused"
import type { Sum } from "../texts"
import { compareAmounts, compareSums, exactAmount, subtractAmounts, sumOf } from "../values/amount"
import { type Booking, MedusaReader, type OrderMoney } from "./reader"
import { listRegions } from "./regions"

/** Each method runs core's own workflow or module, decides nothing, and throws core's refusal. */
export function coreOf(container: Medusa.MedusaContainer) {
  const payments = () => container.resolve(Modules.PAYMENT)
  const orders = () => container.resolve(Modules.ORDER)
  const emit = (name: string, paymentId: string, more = {}) =>
    container.resolve(Modules.EVENT_BUS).emit({ name, data: { id: paymentId, ...more } })
  const setSessionStatus = async (id: string, status: PaymentSessionStatus) => {
    const { data, amount, currency_code } = await payments().retrievePaymentSession(id)
    await payments().updatePaymentSession({ id, data, amount, currency_code, status })
  }
  return {
    linkOrder: (order_id: string, payment_collection_id: string, cart_id?: string) => {
      const order = { [Modules.ORDER]: { order_id } }
      return container
        .resolve(ContainerRegistrationKeys.LINK)
        .create([
          { ...order, [Modules.PAYMENT]: { payment_collection_id } },
          ...(cart_id ? [{ ...order, [Modules.CART]: { cart_id } }] : []),
        ])
    },
    setCollectionAmount: (id: string, { amount, currency }: Sum) =>
      payments().updatePaymentCollections(id, { amount, currency_code: currency }),
    openSession: (id: string) => setSessionStatus(id, PaymentSessionStatus.PENDING),
    closeSession: async (id: string) => {
      const isThere = (await new MedusaReader(container).findSession(id)) !== null
      if (isThere) await setSessionStatus(id, PaymentSessionStatus.CANCELED)
    },
    createSession: (collectionId: string, of: Sum & { providerId: string; adopt: string }) =>
      payments().createPaymentSession(collectionId, {
        provider_id: of.providerId,
        currency_code: of.currency,
        amount: of.amount,
        data: {},
        // The store API cannot set a context, so no shopper can name a transaction to adopt.
        context: { adopt: of.adopt } as object,
      }),
    deleteSession: (id: string) => payments().deletePaymentSession(id),
    authorizeSession: (id: string) => payments().authorizePaymentSession(id, {}),
    /** Authorizes a session whose order was placed before its payment. */
    authorizeDeferredSession: (id: string) =>
      run(flows.authorizePaymentSessionForOrderWorkflow(container), { payment_session_id: id }),
    capturePayment: (id: string) =>
      run(flows.capturePaymentWorkflow(container), { payment_id: id }),
    cancelPayment: (id: string) => payments().cancelPayment(id),
    /** For a payment that is booked already. Its order spares our own subscriber a search. */
    publishCaptured: (paymentId: string, orderId: string) =>
      emit(PaymentEvents.CAPTURED, paymentId, { order_id: orderId }),
    cancelOrder: (id: string) => run(flows.cancelOrderWorkflow(container), { order_id: id }),
    /** Refunds a payment without booking it on its order: core's workflow would leave its parts behind when it is killed. */
    refundPayment: async (
      payment_id: string,
      amount: string,
      { note, by }: { note: string | null; by: string | null }
    ) => {
      const said = { ...(note ? { note } : {}), ...(by ? { created_by: by } : {}) }
      await payments().refundPayment({ payment_id, amount, ...said })
      await emit(PaymentEvents.REFUNDED, payment_id)
    },
    deleteRefund: (id: string) => payments().deleteRefunds([id]),
    bookRefund: bookRefund.bind(null, container),
    endDeadCredits: endDeadCredits.bind(null, container),
    deleteBookings: (ids: string[]) => orders().deleteOrderTransactions(ids),
    correctOrderTotals: (orderId: string) => correctOrderTotals(container, orderId),
    offerRest: (order: OrderMoney) => collectionToPay(container, order, null),
  }
}

interface Runnable<Input> {
  run(options: { input: Input; throwOnError: false }): Promise<{ errors: { error: unknown }[] }>
}

/** Throws the first error in core's words. */
async function run<Input>(workflow: Runnable<Input>, input: Input): Promise<void> {
  const [failure] = (await workflow.run({ input, throwOnError: false })).errors
  if (failure) throw new Error(reasonOf(failure.error), { cause: failure.error })
}

/** The collection in which an order's payment is opened: the one asked for, or one for the rest, because core reopens a paid one. */
export async function collectionToPay(
  container: Medusa.MedusaContainer,
  order: OrderMoney,
  askedFor: string | null
): Promise<string> {
  const collections = await new MedusaReader(container).listCollections(order.collectionIds)
  const isPaid = collections.some(({ id, isPaidInto }) => id === askedFor && isPaidInto)
  if (askedFor !== null && !isPaid) return askedFor
  const isForRest = (amount: string) =>
    compareSums(amount, "0") > 0 && compareSums(amount, order.owed) <= 0
  const rest = collections.find(
    ({ isPaidInto, isUnpaid, amount }) => !isPaidInto && isUnpaid && isForRest(amount)
  )
  if (rest) return rest.id
  const { result } = await flows.createOrderPaymentCollectionWorkflow(container).run({
    input: { order_id: order.id, amount: Number(order.owed) },
  })
  const [made] = result
  if (!made) throw refusedPayment("no_collection_for_rest")
  return made.id
}

/**
 * Books a refund on an order and lowers the order's worth by `credit`. One transaction does both, because the credit's amount could not
 * be found out any more if a process died in between.
 */
async function bookRefund(
  container: Medusa.MedusaContainer,
  order_id: string,
  { id: reference_id, amount: refunded }: Booking,
  { currency, credit }: { currency: string; credit: string }
) {
  const orders = container.resolve<Medusa.IOrderModuleService & HiddenMethods>(Modules.ORDER)
  const of = { order_id, reference: "refund", reference_id }
  await orders.baseRepository_.transaction(async (transactionManager) => {
    const within = { transactionManager }
    const amount = subtractAmounts(0, refunded)
    await orders.addOrderTransactions(
      { ...of, amount, currency_code: currency.toLowerCase() },
      within
    )
    if (compareAmounts(credit, 0) <= 0) return
    const { version } = await orders.retrieveOrder(order_id, { select: ["version"] }, within)
    const lowered = { action: ChangeActionType.CREDIT_LINE_ADD, version: version + 1 }
    const actions = [{ ...of, ...lowered, amount: credit }]
    const opened = { order_id, change_type: OrderChangeType.CREDIT_LINE, actions }
    const { id } = await orders.createOrderChange(opened, within)
    await orders.confirmOrderChange(id, within)
  })
}

/** Its type has no name for it. */
const CREDIT: string = OrderChangeType.CREDIT_LINE

/**
 * Ends what a process of core's refund that died has left open: it books, opens a change that lowers the order's worth, writes its
 * amount, and confirms it. Until it is ended, nobody can change the order.
 */
async function endDeadCredits(
  container: Medusa.MedusaContainer,
  order_id: string,
  deadBefore: Date
): Promise<void> {
  const orders = container.resolve(Modules.ORDER)
  const open = await orders.listOrderChanges(
    { order_id, status: ["pending", "requested"] },
    { select: ["id", "change_type", "created_at"], relations: ["actions"], take: null }
  )
  for (const { id, change_type, actions, created_at } of open) {
    if (change_type !== CREDIT || new Date(created_at) >= deadBefore) continue
    await (actions.length ? orders.confirmOrderChange(id) : orders.cancelOrderChange(id))
  }
}

/** The order module's methods that its type leaves out. */
interface HiddenMethods {
  baseRepository_: { transaction(work: (manager: unknown) => Promise<void>): Promise<void> }
  listOrderSummaries(
    filters: { order_id: string },
    config: { order: { version: "DESC" }; take: number }
  ): Promise<{ id: string; totals: Record<string, Medusa.BigNumberInput> }[]>
  updateOrderSummaries(summary: { id: string; totals: Record<string, unknown> }): Promise<unknown>
}

/** Corrects an order's totals by its bookings, beside which core keeps them: of a deleted booking, it leaves the amount in them. */
async function correctOrderTotals(container: Medusa.MedusaContainer, orderId: string) {
  const orders = container.resolve<Medusa.IOrderModuleService & HiddenMethods>(Modules.ORDER)
  const [summary] = await orders.listOrderSummaries(
    { order_id: orderId },
    { order: { version: "DESC" }, take: 1 }
  )
  if (!summary) return
  const bookings = await new MedusaReader(container).listBookings(orderId)
  const held = sumOf(bookings)
  const paid = sumOf(bookings.filter(({ amount }) => compareAmounts(amount, "0") > 0))
  const refunded = subtractAmounts(paid, held)
  const shown = (name: string) => exactAmount({ amount: summary.totals[name] ?? 0 })
  const before = shown("transaction_total")
  const isRefundedRight = compareAmounts(shown("refunded_total"), refunded) === 0
  if (isRefundedRight && compareAmounts(before, held) === 0) return
  const correct = {
    paid_total: paid,
    refunded_total: refunded,
    transaction_total: held,
    pending_difference: subtractAmounts(shown("pending_difference"), subtractAmounts(held, before)),
  }
  const totals: Record<string, unknown> = { ...summary.totals }
  for (const [name, amount] of Object.entries(correct)) {
    const { numeric, raw } = new BigNumber(amount)
    totals[name] = numeric
    // Core keeps the exact digits beside each number.
    totals[`raw_${name}`] = raw
  }
  await orders.updateOrderSummaries({ id: summary.id, totals })
}

/** Makes a cart of one item, which is no product, and begins its payment as a shopper does. Paid, it is an ordinary order. */
export async function beginTestOrder(
  container: Medusa.MedusaContainer,
  of: { regionId: string; providerId: string; amount: number; email: string; title: string }
) {
  const item = { title: of.title, quantity: 1, unit_price: of.amount, requires_shipping: false }
  const { result: cart } = await flows.createCartWorkflow(container).run({
    input: { region_id: of.regionId, email: of.email, items: [item] },
  })
  const { result: collection } = await flows.createPaymentCollectionForCartWorkflow(container).run({
    input: { cart_id: cart.id },
  })
  const { result: session } = await flows.createPaymentSessionsWorkflow(container).run({
    input: { payment_collection_id: collection.id, provider_id: of.providerId },
  })
  return session
}

/** Leaves each region the enabled payment providers that `isKept` keeps; returns the names of the regions that had others. */
export async function setProvidersOfRegions(
  container: Medusa.MedusaContainer,
  isKept: (providerId: string) => boolean
): Promise<string[]> {
  const regions = await listRegions(container)
  const changed = regions.filter(({ providerIds }) => !providerIds.every(isKept))
  for (const { id, providerIds } of changed) {
    const update = { payment_providers: providerIds.filter(isKept) }
    await flows.updateRegionsWorkflow(container).run({ input: { selector: { id }, update } })
  }
  return changed.map(({ name }) => name)
}

/** Runs `work` while a region has a lost payment provider again. It keeps it if the process dies, so that stands in the log. */
export async function whileInRegion<T>(
  container: Medusa.MedusaContainer,
  cartId: string,
  providerId: string,
  work: () => Promise<T>
): Promise<T> {
  const only = { select: ["region_id"] }
  const { region_id } = await container.resolve(Modules.CART).retrieveCart(cartId, only)
  const what = `${providerId} is switched on in region ${region_id} until the paid cart ${cartId} is completed.`
  container.resolve(ContainerRegistrationKeys.LOGGER).warn(`Payment Service: ${what}`)
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const pair = {
    [Modules.REGION]: { region_id },
    [Modules.PAYMENT]: { payment_provider_id: providerId },
  }
  await link.create(pair)
  try {
    return await work()
  } finally {
    await link.dismiss(pair)
  }
}
