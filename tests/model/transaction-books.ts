import type { TransactionRow } from "../../src/modules/payment-service"
import type { NewTransaction } from "../../src/modules/payment-service/openings"
import type { CreatedTransaction } from "../../src/service/client"
import { compareAmounts } from "../../src/settlement/amount"
import type { Decision } from "../../src/settlement/decide"
import type { TransactionRead } from "../../src/settlement/evidence"
import type { AskedRefund } from "../../src/settlement/refund-due"
import type { Reason } from "../../src/settlement/problems/reasons"
import type { TransactionException, TransactionState } from "../../src/settlement/transaction-state"
import { isWatched, nextWatchAt, POLL_INTERVAL_MS } from "../../src/settlement/watch-schedule"
import { askedOf } from "../../src/transactions/refund-requests"
import { checkRowChange } from "./row-rules"

export type Row = TransactionRow

interface SettledEvent {
  rowId: string
  from: TransactionState
  to: TransactionState
}

const UNKNOWN_CREATION_IS_PAYABLE_MS = 3_600_000
const SOON_MS = 5_000
const CLAIM_MS = 60_000
const FIRST_WATCH_MS = 5_000

/** The table of transactions, with the rules of its statements: each method here is one statement in SQL. */
export class TransactionBooks {
  private readonly rows = new Map<string, Row>()
  readonly events: SettledEvent[] = []

  constructor(protected readonly clock: { now: number }) {}

  now(): Date {
    return new Date(this.clock.now)
  }

  create(opened: NewTransaction): Row {
    const row = {
      ...NOTHING_YET,
      ...opened,
      id: `pstx_${this.rows.size + 1}`,
      opened_at: this.now(),
    } as Row
    this.rows.set(row.id, row)
    return { ...row }
  }

  /** `recordCreated`. */
  recordCreated(id: string, created: CreatedTransaction): Row {
    const { transactionId, status, redirect, expiresInSeconds } = created
    return this.update(id, {
      state: "pending",
      status,
      transaction_id: transactionId,
      transaction_key: transactionId,
      redirect,
      expires_at:
        expiresInSeconds === null ? null : new Date(this.clock.now + expiresInSeconds * 1_000),
      watch_at: new Date(this.clock.now + FIRST_WATCH_MS),
    })
  }

  retrieve(id: string): Row {
    const row = this.rows.get(id)
    if (!row) throw new Error(`No row ${id}`)
    return { ...row }
  }

  list(matches: (row: Row) => boolean = () => true): Row[] {
    return [...this.rows.values()].filter(matches).map((row) => ({ ...row }))
  }

  update(id: string, changes: Partial<Row>): Row {
    const before = this.retrieve(id)
    const after = { ...before, ...changes }
    checkRowChange(before, after)
    this.rows.set(id, after)
    return { ...after }
  }

  /** Nobody takes care of its money any more; the only change that takes `handled_at` back. */
  protected giveBack(id: string, now: Date): void {
    this.rows.set(id, { ...this.retrieve(id), handled_at: null, watch_at: now })
  }

  findBySession(sessionId: string): Row | null {
    return (
      this.list((row) => row.session_id === sessionId || row.return_session_id === sessionId).at(
        -1
      ) ?? null
    )
  }

  findByTransactionId(transactionId: string): Row | null {
    return this.list((row) => row.transaction_id === transactionId)[0] ?? null
  }

  /** `Openings.findOthers`. */
  findOthers(
    collectionIds: string[],
    { isOrder, most }: { isOrder: boolean; most: number }
  ): { paid: Row | null; watched: Row[] } {
    const isPaid = ({ paid_at, handled_at, settled_at, exception }: Row) =>
      paid_at !== null &&
      handled_at === null &&
      (!isOrder || settled_at === null || exception !== null)
    const isWatched = ({ state, watch_at }: Row) =>
      ["pending", "canceled", "expired"].includes(state) && watch_at !== null
    const found = this.list(
      (row) => collectionIds.includes(row.payment_collection_id) && (isPaid(row) || isWatched(row))
    )
      .reverse()
      .sort((one, other) => Number(isPaid(other)) - Number(isPaid(one)))
      .slice(0, most)
    return {
      paid: found.find(isPaid) ?? null,
      watched: found.filter((row) => !isPaid(row)),
    }
  }

  /** `recordRead`: null when the row changed since it was loaded. */
  recordRead(
    before: Pick<Row, "id" | "state" | "exception">,
    read: Pick<TransactionRead, "status" | "amount" | "currency"> & { askedAt: Date },
    decision: Pick<Decision, "state" | "exception" | "differences" | "late" | "isMoney">
  ): Row | null {
    const row = this.retrieve(before.id)
    if (row.state !== before.state || row.exception !== before.exception) return null
    const now = this.now()
    const isPaid = decision.state === "paid"
    // It begins anew with every other sum: a person has seen the one before.
    const isAnother = decision.isMoney && isOtherSum(row, read)
    const isAsBefore = row.exception === decision.exception && !isAnother
    const isFirstProof = isPaid && row.paid_at === null
    return this.update(row.id, {
      state: decision.state,
      exception: decision.exception,
      status: read.status,
      exception_at: isAsBefore ? row.exception_at : now,
      exception_reasons: decision.differences.length
        ? decision.differences
        : decision.exception
          ? row.exception_reasons
          : null,
      ...(decision.isMoney || row.paid_at === null
        ? { read_amount: read.amount, read_currency: read.currency }
        : {}),
      read_at: read.askedAt,
      paid_late: row.paid_late || (decision.late && row.paid_at === null),
      paid_at: isPaid ? (row.paid_at ?? now) : row.paid_at,
      watch_at:
        isFirstProof || (row.settled_at && decision.exception)
          ? earlier(row.watch_at, this.soon())
          : row.watch_at,
    })
  }

  /** `recordRefusal`, with the row as its caller had loaded it. */
  recordRefusal(
    row: Row,
    refusal: {
      exception: TransactionException | null
      reasons: Reason[]
      attempts: number
      pauseMs: number
    }
  ): Row {
    const { exception, reasons, attempts, pauseMs } = refusal
    const isTaken = this.retrieve(row.id).settled_at && exception === "completion_failed"
    if (exception && !isTaken) this.replaceException(row, exception, reasons)
    const after = new Date(this.clock.now + pauseMs)
    const { watch_at } = this.retrieve(row.id)
    return this.update(row.id, {
      apply_attempts: attempts,
      apply_after: after,
      watch_at: watch_at && earlier(watch_at, after),
    })
  }

  /** `recordProgress`, with the row as its caller had loaded it. */
  recordProgress(row: Row, settled?: { captured: boolean; orderId: string | undefined }): Row {
    const { exception, exception_at, settled_at, hinted_at, read_at } = this.retrieve(row.id)
    const isHintUnanswered = !settled_at && hinted_at && read_at && hinted_at > read_at
    const isOver = exception === row.exception || exception === "completion_failed"
    return this.update(row.id, {
      ...(isOver && (!settled || settled.captured)
        ? {
            exception: null,
            exception_reasons: null,
            exception_at: exception ? this.now() : exception_at,
          }
        : {}),
      apply_attempts: 0,
      apply_after: null,
      ...(settled?.captured
        ? {
            settled_at: row.settled_at ?? this.now(),
            ...(isHintUnanswered ? { hinted_at: new Date(this.now().getTime() + 1) } : {}),
            ...(settled.orderId ? { order_id: settled.orderId } : {}),
          }
        : {}),
    })
  }

  private replaceException(
    judged: Row,
    exception: TransactionException | null,
    exception_reasons: Reason[]
  ): void {
    const { exception: now, exception_at } = this.retrieve(judged.id)
    if (now !== judged.exception) return
    const since = exception === now ? exception_at : this.now()
    this.update(judged.id, {
      exception,
      exception_reasons,
      exception_at: since,
    })
  }

  publishSettled(row: Row): void {
    const isClosed = row.state === "canceled" || row.state === "expired"
    const hasFollowed =
      row.state === "paid" ? row.settled_at !== null : isClosed && !row.apply_after
    if (hasFollowed) this.publish(row)
  }

  publish(row: Row): void {
    if (row.told_state === row.state) return
    const now = this.retrieve(row.id)
    if (now.state !== row.state || now.told_state !== row.told_state) return
    this.update(row.id, { told_state: row.state })
    this.events.push({ rowId: row.id, from: row.told_state, to: row.state })
  }

  findUnpublished(): Row[] {
    return this.list(
      (row) =>
        row.told_state !== row.state &&
        (row.settled_at !== null ||
          ((row.state === "canceled" || row.state === "expired") && row.apply_after === null))
    )
  }

  /** `CompletionMarks.recordOrderPlaced`: `order.placed` was emitted for the order of this collection. */
  recordOrderPlaced(orderId: string, collectionId: string): void {
    for (const { id } of this.list(
      (row) => row.payment_collection_id === collectionId && row.order_id === null
    )) {
      this.update(id, { order_id: orderId })
    }
  }

  markDeferred(id: string): void {
    this.update(id, { deferred_at: this.retrieve(id).deferred_at ?? this.now() })
  }

  /** `isOrderKnown`: core has asked us about the order of this collection, or told of it. */
  isOrderKnown(collectionId: string): boolean {
    return this.list(({ payment_collection_id: id }) => id === collectionId).some(
      ({ deferred_at, order_id }) => deferred_at ?? order_id
    )
  }

  payabilityIn(
    collectionIds: string[],
    rowId: string
  ): { isDeferred: boolean; isPayable: boolean } {
    const all = this.list(({ payment_collection_id: id }) => collectionIds.includes(id))
    return {
      isDeferred: all.some(({ deferred_at }) => deferred_at),
      isPayable: all.some(
        (other) => other.id !== rowId && !other.handled_at && this.isPayable(other)
      ),
    }
  }

  isPayable({ state, opened_at }: Row): boolean {
    return (
      state === "pending" ||
      state === "paid" ||
      ((state === "creating" || state === "unknown") &&
        opened_at.getTime() > this.clock.now - UNKNOWN_CREATION_IS_PAYABLE_MS)
    )
  }

  claimPoll(id: string): boolean {
    const { poll_claimed_at, apply_after } = this.retrieve(id)
    const now = this.clock.now
    if (poll_claimed_at && poll_claimed_at.getTime() >= now - POLL_INTERVAL_MS) return false
    if (apply_after && apply_after.getTime() > now) return false
    this.update(id, { poll_claimed_at: this.now() })
    return true
  }

  /** The one that is due longest. */
  claimDue(): Row | null {
    const [due] = this.list((row) => isWatched(row) && Number(row.watch_at) <= this.clock.now).sort(
      (one, other) => Number(one.watch_at) - Number(other.watch_at)
    )
    return due ? this.update(due.id, { watch_at: new Date(this.clock.now + CLAIM_MS) }) : null
  }

  hint(id: string): void {
    const { watch_at, settled_at, hinted_at, exception } = this.retrieve(id)
    const wasOver = settled_at && !exception && !(hinted_at && hinted_at > settled_at)
    this.update(id, {
      hinted_at: this.now(),
      watch_at: wasOver ? this.soon() : earlier(watch_at, this.soon()),
    })
  }

  askRefund(id: string, amount: string, refundId: string | null): void {
    this.update(id, this.withRequest(this.retrieve(id), amount, refundId))
  }

  protected withRequest(row: Row, amount: string, refund_id: string | null = null): Partial<Row> {
    const request: AskedRefund = { amount, at: this.now().toISOString(), refund_id }
    return { refunds_asked: [...askedOf(row), request] as unknown as Row["refunds_asked"] }
  }

  planWatch(id: string): void {
    this.update(id, { watch_at: nextWatchAt(this.retrieve(id), this.now()) })
  }

  private soon(): Date {
    return new Date(this.clock.now + SOON_MS)
  }
}

function isOtherSum(
  { read_amount, read_currency }: Row,
  read: Pick<TransactionRead, "amount" | "currency">
): boolean {
  return (
    read_amount !== null &&
    (compareAmounts(read_amount, read.amount) !== 0 ||
      read_currency?.toUpperCase() !== read.currency.toUpperCase())
  )
}

function earlier(left: Date | null, right: Date): Date {
  return left && left < right ? left : right
}

const NOTHING_YET = {
  state: "creating" as TransactionState,
  exception: null,
  exception_at: null,
  created_at: new Date(0),
  updated_at: new Date(0),
  deleted_at: null,
  exception_reasons: null,
  transaction_id: null,
  expires_at: null,
  settled_at: null,
  handled_at: null,
  handled_as: null,
  handled_amount: null,
  handled_currency: null,
  accepted_amount: null,
  accepted_cart_total: null,
  status: null,
  read_amount: null,
  read_currency: null,
  commission: null,
  commission_usdt: null,
  amount_usdt: null,
  read_at: null,
  paid_at: null,
  paid_late: false,
  poll_claimed_at: null,
  watch_at: null,
  tried_at: null,
  listed_at: null,
  completion_began_at: null,
  completion: null,
  refunds_asked: null,
  redirect: null,
  qr: null,
  usdt_rate: null,
  transaction_key: null,
  deferred_at: null,
  hinted_at: null,
  told_state: "pending" as TransactionState,
  apply_attempts: 0,
  apply_after: null,
}
