import { randomUUID } from "node:crypto"

import { Refusal } from "./exchange"
import { CRYPTO_METHOD, type Settings, type StatusMeaning } from "./options"

/** A transaction in the simulator; every field can be edited to test a client. */
export interface SimulatedTransaction {
  id: string
  merchantId: string
  merchantName: string
  status: string
  /** Numeric method code. */
  paymentMethod: number
  amount: number
  currency: string
  description: string
  /** The payer is sent here after paying. */
  return: string
  failedUrl: string
  payload: string
  metadata: { userId?: string; userName?: string; clientIp?: string } | null
  /** Milliseconds since the epoch, like `expiresAt`. */
  createdAt: number
  expiresAt: number
  usdtRate: number
  amountUsdt: number
  commission: number
  commissionUsdt: number
  commissionType: number
  externalId: string
  redirect: string
  qr: string
}

/** The fields for a new transaction; only the amount has no default. */
export type NewTransaction = Pick<SimulatedTransaction, "amount"> &
  Partial<Omit<SimulatedTransaction, "id" | "amount">>

/** Everything but the id can be changed without the client's knowledge. */
export type TransactionChanges = Partial<Omit<SimulatedTransaction, "id">>

/** Thrown for an id that the simulator never issued. */
export class UnknownTransaction extends Error {
  constructor(id: string) {
    super(`There is no transaction ${id}.`)
    this.name = "UnknownTransaction"
  }
}

const MOST = 500_000

/** The transactions of one simulator, in memory, each with its version before the last change. */
export class Transactions {
  private readonly held = new Map<string, SimulatedTransaction>()
  private readonly earlier = new Map<string, SimulatedTransaction>()
  /** Ids in order of creation. */
  private readonly order: string[] = []
  /** The ends of those whose time is not over yet. */
  private readonly expiries = new Map<string, number>()
  /** Nothing ends before, so that no look through all of them is needed until then. */
  private nextExpiry = Infinity

  constructor(
    private readonly settings: Settings,
    private readonly now: () => number,
    private readonly most = MOST
  ) {}

  /** Adds a pending transaction. @throws Refusal 507 when there is no room, because none is ever dropped */
  create(input: NewTransaction): SimulatedTransaction {
    const { settings } = this
    const id = randomUUID()
    const createdAt = input.createdAt ?? this.now()
    const paymentMethod = input.paymentMethod ?? 2
    const usdtRate = input.usdtRate ?? settings.usdtRate
    const redirect = `${settings.publicUrl}/pay/${id}`
    const commission = round(input.amount * 0.03, 2)
    const transaction: SimulatedTransaction = {
      merchantId: settings.merchantId,
      merchantName: settings.merchantName,
      status: settings.statuses.pending,
      paymentMethod,
      currency: "RUB",
      description: "",
      return: settings.publicUrl,
      failedUrl: settings.publicUrl,
      payload: "",
      metadata: null,
      createdAt,
      expiresAt: createdAt + settings.expiresInSeconds * 1000,
      usdtRate,
      amountUsdt: round(input.amount / usdtRate, 6),
      commission,
      commissionUsdt: round(commission / usdtRate, 6),
      commissionType: 1,
      externalId: randomUUID(),
      redirect,
      qr: settings.qr === "text" ? qrText(settings, id, paymentMethod, input.amount) : redirect,
      ...input,
      id,
    }
    return this.restore(transaction)
  }

  /** Adds a transaction of an earlier run as it was. @throws Refusal 507 when there is no room */
  restore(transaction: SimulatedTransaction): SimulatedTransaction {
    if (this.order.length >= this.most) {
      throw new Refusal(
        507,
        "full",
        `The simulator holds ${this.most} transactions; start it anew.`
      )
    }
    this.order.push(transaction.id)
    return this.hold(transaction)
  }

  /** Copies of the newest transactions, newest first. */
  latest(count: number): SimulatedTransaction[] {
    return this.order
      .slice(-count)
      .reverse()
      .map((id) => this.get(id))
  }

  /** Copies of all transactions, in order of creation. Changes go through `change`. */
  all(): SimulatedTransaction[] {
    return [...this.held.values()].map((transaction) => ({ ...transaction }))
  }

  find(id: string): SimulatedTransaction | undefined {
    const transaction = this.held.get(id)
    return transaction && { ...transaction }
  }

  /** @throws UnknownTransaction */
  get(id: string): SimulatedTransaction {
    const transaction = this.find(id)
    if (!transaction) throw new UnknownTransaction(id)
    return transaction
  }

  /** The version before the last change, as from a lagging replica. */
  stale(id: string): SimulatedTransaction | undefined {
    const transaction = this.earlier.get(id) ?? this.held.get(id)
    return transaction && { ...transaction }
  }

  /** @throws UnknownTransaction */
  change(id: string, changes: TransactionChanges): SimulatedTransaction {
    return this.hold({ ...this.get(id), ...changes, id })
  }

  /** Sets any status, known or not. @throws UnknownTransaction */
  setStatus(id: string, status: string): SimulatedTransaction {
    return this.hold({ ...this.get(id), status })
  }

  /** Records a payment, also with another amount or currency, and in any state, so that it can be late. */
  pay(id: string, paid: { amount?: number; currency?: string }): SimulatedTransaction {
    const current = this.get(id)
    const amount = paid.amount ?? current.amount
    return this.hold({
      ...current,
      status: this.settings.statuses.paid,
      amount,
      currency: paid.currency ?? current.currency,
      amountUsdt: round(amount / current.usdtRate, 6),
    })
  }

  /** The meaning of a status; undefined for a name without an option. */
  meaning(status: string): StatusMeaning | undefined {
    const entries = Object.entries(this.settings.statuses) as [StatusMeaning, string][]
    return entries.find(([, name]) => name === status)?.[0]
  }

  isPending(transaction: SimulatedTransaction): boolean {
    return transaction.status === this.settings.statuses.pending
  }

  /** Expires due transactions and returns them; one that was set back to pending stays pending. */
  expireDue(): SimulatedTransaction[] {
    const now = this.now()
    if (!this.settings.autoExpire || now < this.nextExpiry) return []
    const due: string[] = []
    this.nextExpiry = Infinity
    for (const [id, at] of this.expiries) {
      if (at <= now) due.push(id)
      else this.nextExpiry = Math.min(this.nextExpiry, at)
    }
    for (const id of due) this.expiries.delete(id)
    return due
      .filter((id) => this.isPending(this.get(id)))
      .map((id) => this.setStatus(id, this.settings.statuses.expired))
  }

  /** Stores a new or changed transaction, and the version before it. Returns a copy. */
  private hold(transaction: SimulatedTransaction): SimulatedTransaction {
    const { id, expiresAt } = transaction
    const current = this.held.get(id)
    if (current) this.earlier.set(id, current)
    this.held.set(id, transaction)
    if (current?.expiresAt !== expiresAt) {
      this.expiries.set(id, expiresAt)
      this.nextExpiry = Math.min(this.nextExpiry, expiresAt)
    }
    return { ...transaction }
  }
}

/** Rounds to a number of decimals. */
export function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

function qrText(settings: Settings, id: string, method: number, amount: number): string {
  if (method === CRYPTO_METHOD) {
    return `tether:SIMULATED${id.replaceAll("-", "")}?amount=${round(amount / settings.usdtRate, 6)}`
  }
  return `ST00012|Name=${settings.merchantName}|PersonalAcc=40702810000000000000|Purpose=${id}|Sum=${round(amount * 100, 0)}`
}
