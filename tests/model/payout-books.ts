import type { PayoutRow } from "../../src/modules/payment-service"
import type {
  LockedPayout,
  NewPayout,
  PayoutActor,
} from "../../src/modules/payment-service/payout-transaction"
import type { PaidBack } from "../../src/modules/payment-service/refund-payouts"
import { causeOfPayout } from "../../src/settlement/cause"
import { SIMILAR_MS } from "../../src/settlement/payouts/limits"
import { PAYOUT_CURRENCY, type PayoutEntryKind } from "../../src/settlement/payouts/payout"
import type { Books } from "./books"
import { checkPayoutChange } from "./payout-rules"
import { type Processes, Refusal } from "./processes"

/** An entry of a payout's journal. */
export interface PayoutEntry {
  payoutId: string
  kind: PayoutEntryKind
  by: string | null
  /** Counts steps of all processes. */
  moment: number
}

type Statements = Omit<
  { [Name in keyof LockedPayout]: LockedPayout[Name] },
  "now" | "row" | "update"
> & {
  now: Date
  row: PayoutRow
  update: (columns: Partial<PayoutRow>) => Promise<PayoutRow>
}

const COUNTING = ["sending", "created", "unknown", "marked_sent"]

/**
 * The table of payouts and its journal, with the rules of their statements. A change is a transaction: each statement
 * is a pause, sees what others have committed, and is itself seen once the transaction has ended. What a dead process
 * has begun is never seen, and its locks are free.
 */
export class PayoutBooks {
  private readonly rows = new Map<string, PayoutRow>()
  private readonly locks = new Map<string, Transaction>()
  readonly journal: PayoutEntry[] = []
  /** Requests whose answer has not come back. */
  readonly underWay: { key: string; process: number; answerBy: Date | null }[] = []
  private made = 0

  constructor(
    readonly books: Books,
    readonly processes: Processes
  ) {}

  list(matches: (row: PayoutRow) => boolean = () => true): PayoutRow[] {
    return [...this.rows.values()].filter(matches).map((row) => ({ ...row }))
  }

  read(id: string): PayoutRow {
    const row = this.rows.get(id)
    if (!row) throw new Refusal(`there is no payout ${id}`)
    return { ...row }
  }

  write(row: PayoutRow): void {
    const before = this.rows.get(row.id)
    if (before) checkPayoutChange(before, row)
    this.rows.set(row.id, row)
  }

  entriesOf(id: string): PayoutEntry[] {
    return this.journal.filter(({ payoutId }) => payoutId === id)
  }

  async get(id: string): Promise<PayoutRow> {
    await this.processes.pause()
    return this.read(id)
  }

  async make<T>(work: (payouts: Statements) => Promise<T>): Promise<T> {
    return await this.inTransaction(async (transaction) => {
      await transaction.lock("others")
      return await work(this.statements(transaction, {} as PayoutRow))
    })
  }

  async change<T>(
    id: string,
    work: (payout: Statements) => Promise<T>,
    { seesOthers = false } = {}
  ): Promise<T> {
    return await this.inTransaction(async (transaction) => {
      if (seesOthers) await transaction.lock("others")
      await transaction.lock(id)
      return await work(this.statements(transaction, this.read(id)))
    })
  }

  async findLost(): Promise<string[]> {
    await this.processes.pause()
    const now = this.books.now()
    return this.list(
      ({ state, answer_by }) => state === "sending" && answer_by !== null && answer_by <= now
    ).map(({ id }) => id)
  }

  async findUnknown(sentBefore: Date): Promise<string[]> {
    await this.processes.pause()
    return this.list(
      ({ id, state, sent_at }) =>
        state === "unknown" &&
        sent_at !== null &&
        sent_at <= sentBefore &&
        !this.books.problems.some(
          ({ cause, closed_at }) => cause === causeOfPayout(id) && closed_at === null
        )
    ).map(({ id }) => id)
  }

  /** `RefundPayouts.of` for one row. */
  paidBack(rowId: string, except: string | null = null): PaidBack {
    const rows = this.list((row) => row.transaction_row_id === rowId && row.id !== except)
    const sum = (states: string[], isCounted = (_: PayoutRow) => true) =>
      rows
        .filter((row) => states.includes(row.state) && isCounted(row))
        .reduce((total, { amount }) => total + amount, 0)
    const isRecorded = ({ id }: PayoutRow) =>
      this.books.proofs.some((proof) => proof.payout_id === id && proof.recorded_at !== null)
    return {
      paidOut: sum(["created", "marked_sent"], (row) => !isRecorded(row)),
      underWay: sum(["sending", "unknown"]),
      drafts: sum(["draft", "awaiting_approval"]),
    }
  }

  private async inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const transaction = new Transaction(this.processes, this.locks)
    try {
      const result = await work(transaction)
      await this.processes.pause()
      transaction.commit()
      return result
    } finally {
      transaction.release()
    }
  }

  private statements(transaction: Transaction, locked: PayoutRow): Statements {
    const { books, processes } = this
    const now = books.now()
    const enter = (payoutId: string, kind: PayoutEntryKind, by: PayoutActor | null) => {
      const { moment } = processes
      transaction.writes.push(() => {
        this.journal.push({ payoutId, kind, by: by?.id ?? null, moment })
      })
    }
    const statements = {
      insert: async (payout: NewPayout, by: PayoutActor) => {
        const row = newRow(`pspo_${++this.made}`, payout, now)
        transaction.writes.push(() => {
          this.write(row)
        })
        enter(row.id, "made", by)
        return { ...row }
      },
      usedOn: async (day: string) =>
        this.list(({ limit_day, state }) => limit_day === day && COUNTING.includes(state)).reduce(
          (total, { amount }) => total + amount,
          0
        ),
      hasSimilar: async (
        { amount, card_id, card_last4 }: Pick<PayoutRow, "amount" | "card_id" | "card_last4">,
        except: string | null
      ) => {
        const since = now.getTime() - SIMILAR_MS
        const similar = this.list(
          (row) =>
            row.id !== except &&
            row.amount === amount &&
            !["rejected", "discarded", "marked_not_sent"].includes(row.state) &&
            ((card_id !== null && row.card_id === card_id) ||
              (card_last4 !== null && row.card_last4 === card_last4)) &&
            Math.max(row.made_at.getTime(), row.sent_at?.getTime() ?? 0) > since
        )
        return similar.length > 0
      },
      heldForRefund: async (rowId: string, except: string | null) => {
        const { paidOut, underWay, drafts } = this.paidBack(rowId, except)
        return paidOut + underWay + drafts
      },
      update: async (columns: Partial<PayoutRow>) => {
        const row = { ...payout.row, ...columns }
        payout.row = row
        transaction.writes.push(() => {
          this.write(row)
        })
        return { ...row }
      },
      note: async (kind: PayoutEntryKind, _: unknown, by: PayoutActor | null) => {
        enter(payout.row.id, kind, by)
      },
      proveRefund: async () => {
        const { id, problem_id, transaction_row_id, amount } = payout.row
        if (transaction_row_id === null) return
        transaction.writes.push(() => {
          books.addProof({
            ...{ transaction_row_id, problem_id, payout_id: id },
            ...{ amount: String(amount), currency: PAYOUT_CURRENCY, kind: "payout" },
          })
        })
      },
      closeUnknown: async () => {
        const { id } = payout.row
        transaction.writes.push(() => {
          books.close([causeOfPayout(id)])
        })
      },
      isTaken: async (withdrawalRecordId: string) =>
        this.list(
          (row) => row.withdrawal_record_id === withdrawalRecordId && row.id !== payout.row.id
        ).length > 0,
      publish: async () => undefined,
    }
    const payout = {
      now,
      row: { ...locked },
      ...processes.inSteps(statements),
      markHandled: async (rowId: string) => {
        await transaction.lock(`transaction ${rowId}`)
        transaction.writes.push(() => {
          books.markHandled(rowId, now)
        })
        return true
      },
      markHandledAgain: async () => {
        const { problem_id, transaction_row_id: rowId } = payout.row
        if (problem_id === null || rowId === null) return
        await transaction.lock(`transaction ${rowId}`)
        transaction.writes.push(() => {
          books.markHandledAgain(rowId, now)
        })
      },
      resumeAutomaticSettling: async () => {
        const { id, problem_id: problemId, transaction_row_id: rowId } = payout.row
        if (problemId === null || rowId === null) return
        await transaction.lock(`transaction ${rowId}`)
        await processes.pause()
        const isOpen = books.problem(problemId).closed_at === null
        const others = this.list(
          (row) =>
            row.transaction_row_id === rowId &&
            row.id !== id &&
            row.problem_id !== null &&
            ["sending", "unknown", "created", "marked_sent"].includes(row.state)
        )
        if (!isOpen || others.length) return
        transaction.writes.push(() => {
          books.resumeAutomaticSettling(rowId, now)
        })
      },
    } as unknown as Statements
    return payout
  }
}

/** The locks and the writes of one transaction. */
class Transaction {
  readonly writes: (() => void)[] = []
  private readonly process: number

  constructor(
    private readonly processes: Processes,
    private readonly locks: Map<string, Transaction>
  ) {
    this.process = processes.currentId
  }

  async lock(key: string): Promise<void> {
    await this.processes.pause(() => {
      const holder = this.locks.get(key)
      return !holder || holder === this || !this.processes.isAlive(holder.process)
    })
    this.locks.set(key, this)
  }

  commit(): void {
    for (const write of this.writes) write()
  }

  release(): void {
    for (const [key, holder] of this.locks) if (holder === this) this.locks.delete(key)
  }
}

function newRow(id: string, payout: NewPayout, now: Date): PayoutRow {
  return {
    ...{ id, idempotency_key: `key of ${id}`, made_at: now, revision: 1, attempts: 0 },
    ...{ answer_by: null, body_digest: null, card_mac: null, key_check: null },
    ...{ amount_usdt: null, withdrawal_record_id: null, reason_code: null, reason_facts: null },
    ...{ edited_by: null, approved_by: null, approved_by_name: null, approved_at: null },
    ...{ sent_by: null, sent_by_name: null, sent_at: null, answered_at: null },
    ...{ proposed_sent: null, proposed_by: null, proposed_by_name: null },
    ...{ marked_by: null, marked_by_name: null, marked_at: null, mark_note: null },
    ...payout,
  } as PayoutRow
}
