import type { TransactionRead } from "../../src/settlement/evidence"
import type { StatusNames } from "../../src/settlement/transaction-status"
import { Refusal } from "./processes"

export const MERCHANT = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"

export const STATUSES: StatusNames = {
  paid: ["Done"],
  pending: ["PENDING"],
  canceled: ["CANCELED"],
  expired: ["TooLate"],
  reversed: ["TakenBack"],
}

/** A transaction at the service, and all states that it ever had. */
interface RemoteTransaction {
  id: string
  expiresAt: number | null
  history: TransactionRead[]
}

/** The remote service, which may be down, and may answer what was true a while ago. */
export class RemoteService {
  readonly transactions = new Map<string, RemoteTransaction>()
  /** Everything that it ever answered, by transaction; the same answer again counts once. */
  readonly answers = new Map<string, TransactionRead[]>()
  /** The moment at which it said the last time that a transaction is paid. */
  readonly saidPaidAt = new Map<string, number>()
  isDown = false
  /** The next so many reads are answered with what was true so many changes ago. */
  stale = { reads: 0, changesAgo: 0 }

  create(asked: Omit<TransactionRead, "status">, expiresAt: number | null): RemoteTransaction {
    if (this.isDown) throw new Refusal("the service does not answer")
    const transaction = {
      id: `tx_${this.transactions.size + 1}`,
      expiresAt,
      history: [{ ...asked, status: "PENDING" }],
    }
    this.transactions.set(transaction.id, transaction)
    return transaction
  }

  /** The transaction's true state at the service now. */
  truth(id: string): TransactionRead {
    const truth = this.transactions.get(id)?.history.at(-1)
    if (!truth) throw new Error(`No transaction ${id}`)
    return truth
  }

  change(id: string, changes: Partial<TransactionRead>): void {
    this.transactions.get(id)?.history.push({ ...this.truth(id), ...changes })
  }

  read(id: string): TransactionRead {
    if (this.isDown) throw new Refusal("the service does not answer")
    const history = this.transactions.get(id)?.history ?? []
    let answer = history.at(-1)
    if (this.stale.reads > 0) {
      this.stale.reads--
      answer = history.at(-1 - this.stale.changesAgo) ?? history[0]
    }
    if (!answer) throw new Error(`No transaction ${id}`)
    const answers = this.answers.get(id)
    if (!answers) this.answers.set(id, [answer])
    else if (answers.at(-1) !== answer) answers.push(answer)
    return answer
  }
}
