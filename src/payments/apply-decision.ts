import { atLabelledPoint } from "../database/labelled-points"
import type { Payment, Session } from "../medusa/reader"
import type { Accounts, TransactionRow } from "../modules/payment-service"
import { type FactsOf, problem } from "../problems/rules/problems"
import { type Reason, reasonsForLog } from "../problems/rules/reasons"
import { subjectOf } from "../problems/statements/problems"
import { tellOfGone } from "../reconciliation/find-differences"
import { reasonOf, refusalOf, refusedPayment } from "../refusals/refused"
import { compareSums, isOwed, isSameButForDigits, smaller, toWireAmount } from "../values/amount"
import { takeBackUnprovenRefunds } from "./book-refund"
import { loadMedusaState, type SettlePorts } from "./ports"
import { LockTimeoutError, requireLock, withTargetLock } from "./target-lock"
import { followOrderOf, reportBalances } from "./follow-order"
import type { Ports } from "./read-transaction"
import { type Action, decide, isOpenSession, recordedRead } from "./rules/decide"
import { LONGEST_LOCK_MS } from "./rules/timing"
import * as rules from "./rules/transaction"

/** A live completion ends within this time. A row without money waits for nobody, because it is tried again. */
const BUSY_TARGET_WAIT_MS = 8_000
/** Each further failure doubles the pause. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** These refusals pass by themselves. As long as a lock may last, the attempt is repeated after this pause and not counted. */
const PASSING: ReadonlySet<string> = new Set(["cart_locked", "workflow_broke"])
const PAUSE_OF_PASSING_MS = 10_000
/** Another round follows when the cart had an order already, or a session was made or closed. */
const MOST_ROUNDS = 3

/** Makes Medusa follow the proof of the last read, under the lock: of ten simultaneous settles, one places the order, nine find it done. */
export async function applyDecision(ports: SettlePorts, accounts: Accounts, row: TransactionRow) {
  if (!rules.concernsMedusa(row)) return row
  const { module, core } = ports
  const work = async (locked: TransactionRow): Promise<TransactionRow> => {
    if (!rules.concernsMedusa(locked) || hasJustFailed(row, locked)) return locked
    try {
      if (locked.cart_id) await core.finishKilledCompletion(locked.cart_id)
    } catch (error) {
      return await recordUnfinished(ports, locked.id, error, locked)
    }
    let judged = locked
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      const after = await applyOnce(ports, accounts, judged)
      if (after) return after
      judged = await module.transactions.get(locked.id)
    }
    const notTaken = new Error("Medusa has completed the cart and not taken the payment.")
    return await recordUnfinished(ports, locked.id, notTaken, locked)
  }
  try {
    return await withTargetLock(ports, row, work, row.state === "paid" ? BUSY_TARGET_WAIT_MS : 0)
  } catch (error) {
    // Without this record, nobody would learn of a payment that can never be judged.
    const unfinished = await recordUnfinished(ports, row.id, error, row)
    if (!(error instanceof LockTimeoutError)) throw error
    return unfinished
  }
}

/** Whether another settle failed while this one waited for the lock; its pause counts for this one, too. */
function hasJustFailed(before: TransactionRow, now: TransactionRow): boolean {
  return now.apply_after !== null && Number(now.apply_after) !== Number(before.apply_after)
}

/** @returns the row afterwards; null when Medusa's state must be judged once more */
async function applyOnce(ports: SettlePorts, accounts: Accounts, row: TransactionRow) {
  const { transactions, clock } = ports.module
  const medusa = await loadMedusaState(ports, row)
  const { statuses } = accounts.getForRow(row)
  const read = recordedRead(row)
  const decision = decide({ row, read, medusa, statuses, now: clock.now() })
  const { action, exception } = decision
  requireLock()
  if (action.do === "nothing") {
    if (exception !== null && exception !== row.exception) {
      return await recordFailure(ports, row, decision.differences, exception)
    }
    const isOver = exception === null && (row.exception !== null || row.apply_after !== null)
    // The end of a killed completion may have given the row its order.
    return await (isOver ? transactions.recordProgress(row) : transactions.get(row.id))
  }
  await atLabelledPoint("apply:decided")
  let applied: Awaited<ReturnType<typeof applyAction>>
  try {
    applied = await applyAction(ports, row, action, medusa.sessions)
  } catch (error) {
    return await recordRefused(ports, row, action, error)
  }
  if (!applied) return null
  await atLabelledPoint("apply:done")
  requireLock()
  const progress = { ...applied, orderId: applied.orderId ?? medusa.order?.id }
  const followed = await transactions.recordProgress(row, progress)
  await atLabelledPoint("apply:recorded")
  if (action.do === "cancel_order") await closeUnpaidOrders(ports)
  // Once the session is closed, its order may have to be canceled.
  return action.do === "cancel_session" ? null : followed
}

async function recordRefused(ports: Ports, row: TransactionRow, action: Action, error: unknown) {
  const refusal = refusalOf(error)
  const refused = await recordFailure(ports, row, [refusal])
  // While this process stood still, another one may have paid the order that core has taken back now.
  if (refused.settled_at) await tellOfGone(ports, [refused])
  if (action.do === "cancel_order") {
    // The payment is over and its session closed; only its order could not be canceled.
    await ports.module.transactions.publish(row)
    if (refused.apply_attempts > rules.QUIET_ATTEMPTS) {
      await reportUnpaidOrder(ports, row, { order: action.orderId, refusal })
    }
  }
  return refused
}

/** Records why Medusa could not follow, and the time of the next attempt, after a growing pause. */
async function recordFailure(
  { module }: Pick<Ports, "module">,
  row: TransactionRow,
  reasons: Reason[],
  exception: rules.TransactionException | null = row.state === "paid" ? "completion_failed" : null
) {
  const isPassing = reasons.some((reason) => "code" in reason && PASSING.has(reason.code))
  const since = row.exception === exception ? row.exception_at : null
  const lastedMs = since ? module.clock.now().getTime() - since.getTime() : 0
  const isQuiet = isPassing && lastedMs < LONGEST_LOCK_MS
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** row.apply_attempts, LONGEST_PAUSE_MS)
  const refused = await module.transactions.recordRefusal(row, {
    exception,
    reasons,
    attempts: row.apply_attempts + (isQuiet ? 0 : 1),
    pauseMs: isQuiet ? PAUSE_OF_PASSING_MS : growing,
  })
  module.logger.error(
    `Payment Service: transaction ${row.transaction_id ?? ""} (${row.id}) is ${row.state}, but Medusa ` +
      `could not follow${exception ? `, ${exception}` : ""}: ${reasonsForLog(reasons)}`
  )
  return refused
}

/** Records that a settle failed or hangs. It is repeated, unless the row waits for a person. `before`: the row when a failed one began. */
export async function recordUnfinished(
  ports: Pick<Ports, "module">,
  rowId: string,
  error: unknown,
  before?: TransactionRow
): Promise<TransactionRow> {
  const row = await ports.module.transactions.get(rowId)
  const isRecorded = before !== undefined && hasJustFailed(before, row)
  const isToRepeat = ["waiting_for_medusa", "over"].includes(rules.standingOf(row))
  return isToRepeat && !isRecorded ? await recordFailure(ports, row, [refusalOf(error)]) : row
}

/** Runs core's workflows, again after a crash if need be. The caller holds the lock. Null when Medusa must be judged once more. */
async function applyAction(
  ports: SettlePorts,
  row: TransactionRow,
  action: Exclude<Action, { do: "nothing" }>,
  sessions: Session[]
) {
  const { medusa, core } = ports
  switch (action.do) {
    case "place_order":
      return await placeOrder(ports, row, action, sessions)
    case "adopt": {
      const { amount, currency } = action
      const adopting = { providerId: rules.providerIdOf(row), amount, currency, adopt: row.id }
      await core.createSession(row.payment_collection_id, adopting)
      return null
    }
    case "authorize":
      return await authorize(ports, row, action, sessions)
    case "capture": {
      const [payment] = await medusa.listPayments({ id: action.paymentId })
      if (!payment) throw new Error(`payment ${action.paymentId} is not there any more`)
      return await capture(ports, payment, action)
    }
    case "cancel_session":
      await core.closeSession(action.sessionId)
      break
    case "cancel_order":
      await core.cancelOrder(action.orderId)
      break
    case "report_order": {
      const owed = { amount: toWireAmount(action.owed), currency: row.currency }
      await reportUnpaidOrder(ports, row, { order: action.orderId, refusal: null, owed })
    }
  }
  return { captured: false, orderId: null }
}

async function placeOrder(
  ports: SettlePorts,
  row: TransactionRow,
  { cartId, cartTotal, sessionId, reopenSession }: Extract<Action, { do: "place_order" }>,
  sessions: Session[]
) {
  const { module, medusa, core } = ports
  if (reopenSession) await core.openSession(sessionId)
  const session = sessionOf(sessions, sessionId)
  // Our provider refuses a cart edit once the session is paid, but core may already have written the edit's total to the
  // collection, and does not undo that. The order will ask for the cart's total.
  await setCollectionSum(ports, session, cartTotal)
  // Core completes a cart with its first open session, so all open ones but the paid one are deleted.
  for (const { id, status } of sessions) {
    if (id === sessionId || !isOpenSession(status)) continue
    // Our provider refuses if that session is paid, too. The completion continues, and may fail in core.
    await core.deleteSession(id).catch((error: unknown) => {
      module.logger.warn(`Payment session ${id} could not be removed: ${reasonOf(error)}`)
    })
  }
  const orderId = await core.completeCart(row, cartId)
  await atLabelledPoint("apply:order placed")
  const payment = await paymentOf(ports, row, sessionId)
  if (!payment) {
    // If the cart has an order already, core returns that one, which another session may have paid.
    // Core links an order to its cart and its collection in parallel; if it dies in between, one link may be missing.
    if (!(await medusa.findOrderId(row.payment_collection_id))) {
      await core.linkOrder(orderId, row.payment_collection_id)
    }
    return null
  }
  const isEven = isSameButForDigits(cartTotal, payment.amount)
  return await capture(ports, payment, { orderId, isEven, isNew: true })
}

/** Authorizes and captures a session of an order, or of a collection without an order (payment link). */
async function authorize(
  ports: SettlePorts,
  row: TransactionRow,
  { sessionId, orderId, isEven, reopenSession }: Extract<Action, { do: "authorize" }>,
  sessions: Session[]
) {
  const { module, core } = ports
  const collectionId = row.payment_collection_id
  const attempts = await module.transactions.inCollections([collectionId])
  // Core has come to the end of an order that it may place, or has announced.
  if (orderId && attempts.every((one) => one.deferred_at === null && one.order_id === null)) {
    // `order.placed` is emitted first, because after the booking nothing shows that the event is missing.
    await core.emitOrderPlaced(orderId, collectionId)
  }
  if (reopenSession) await core.openSession(sessionId)
  const session = sessionOf(sessions, sessionId)
  if (orderId && row.accepted === null) {
    // An edit of the order may have changed its open collection's amount since this session was made.
    await setCollectionSum(ports, session, session.amount)
  }
  const isDeferred = session.status === "pending_authorization"
  await (isDeferred ? core.authorizeDeferredSession(sessionId) : core.authorizeSession(sessionId))
  const payment = await paymentOf(ports, row, sessionId)
  if (!payment) throw new Error(`session ${sessionId} was not authorized`)
  return await capture(ports, payment, { orderId, isEven })
}

/**
 * Books the payment on the order and emits `payment.captured`. The provider has answered `captured`, so Medusa's payment counts
 * as captured already. A finished completion has booked it, but not emitted the event.
 *
 * @param isNew whether the order was made with this payment, so that a cancellation since then has seen the money
 */
async function capture(
  ports: SettlePorts,
  payment: Payment,
  { orderId, isEven, isNew = false }: { orderId: string | null; isEven: boolean; isNew?: boolean }
) {
  const { medusa, core } = ports
  if (orderId && (await isBooked(ports, payment, orderId))) {
    await core.publishCaptured(payment.id, orderId)
  } else {
    await core.capturePayment(payment.id)
  }
  if (orderId) {
    const [order] = isNew ? [] : await medusa.listOrders({ id: orderId })
    if (order?.isCanceled) {
      // The order was canceled while it was being paid. Core's cancellation saw no payment, so no due refund was reported yet.
      await takeBackUnprovenRefunds(ports, orderId)
    } else if (!isEven) {
      await reportAndOfferRest(ports, orderId)
    }
  }
  return { captured: true, orderId }
}

/** Tells of a difference, and makes a collection for a rest, because a payment link needs an unpaid one. */
export async function reportAndOfferRest(ports: SettlePorts, orderId: string): Promise<void> {
  const [followed] = await reportBalances(ports, [orderId])
  if (!followed) return
  const { order, due } = followed
  // The rest is without sums that people did without, or that somebody has promised to pay.
  const rest = smaller(due.owed, order.owed)
  if (isOwed(rest)) await ports.core.offerRest({ ...order, owed: rest })
}

async function isBooked({ medusa }: Ports, { isCaptured, captures }: Payment, orderId: string) {
  if (!isCaptured || !captures.length) return false
  const reference_id = captures.map(({ id }) => id)
  const booked = await medusa.listBookings(orderId, { reference: "capture", reference_id })
  return booked.length === captures.length
}

function sessionOf(sessions: Session[], sessionId: string): Session {
  const session = sessions.find(({ id }) => id === sessionId)
  if (!session) throw refusedPayment("session_gone", { session: sessionId })
  return session
}

async function setCollectionSum({ core }: SettlePorts, session: Session, amount: string) {
  const { collectionId, collection, currency } = session
  if (compareSums(collection.amount, amount) !== 0 || collection.currency !== currency) {
    await core.setCollectionAmount(collectionId, { amount, currency })
  }
}

/** The payment that Medusa has made from a session. */
async function paymentOf({ medusa }: Ports, row: TransactionRow, sessionId: string) {
  const { payment_collection_id } = row
  const payments = await medusa.listPayments({ payment_collection_id }, { relations: ["captures"] })
  return payments.find((payment) => payment.sessionId === sessionId)
}

/** Opens or closes the problems of a row and writes its event: both depend on the row alone, so this may run again at any time. */
export async function reportSettlement(
  ports: SettlePorts,
  before: TransactionRow,
  row: TransactionRow
): Promise<void> {
  if (before.exception !== null || row.exception !== null) await followProblems(ports, row)
  if (rules.hasMedusaFollowed(row)) await ports.module.transactions.publish(row)
  if (row.exception !== null || before.published_state !== row.state) await ports.core.sendEvents()
}

/** The order comes first: after a kill in between, `findUnfollowed` finds the row by its own problem. */
export async function followProblems(ports: Ports, row: TransactionRow): Promise<void> {
  // The service may have taken a due sum back itself, or confirmed a payment again that it had taken back.
  if (row.settled_at) await followOrderOf(ports, row)
  await ports.module.problems.openOrCloseFor(row)
}

/** Reports an order whose payment did not come and that stays: Medusa did not cancel it, or a part was paid. */
async function reportUnpaidOrder(
  { module }: Ports,
  row: TransactionRow,
  facts: FactsOf<"order_unpaid">
) {
  const subject = { ...subjectOf(row), order_id: facts.order }
  await module.problems.report(problem("order_unpaid", facts), subject, row.opened_at)
}

/** Closes the problems of orders that were reported as unpaid and are now paid or canceled in any way. */
export async function closeUnpaidOrders({ module, medusa }: Ports): Promise<void> {
  const ofUnpaid = { kind: "order_unpaid" as const, closed_at: null }
  const problems = await module.listProblems(ofUnpaid, { take: null })
  if (!problems.length) return
  const orders = await medusa.listOrderMoney(problems.map(({ order_id }) => order_id ?? ""))
  const unpaid = orders.filter(({ isCanceled, owed }) => !isCanceled && isOwed(owed))
  const over = problems.filter(({ order_id }) => !unpaid.some(({ id }) => id === order_id))
  await module.problems.close(over.map(({ cause }) => cause))
}
