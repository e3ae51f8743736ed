import { randomUUID } from "node:crypto"

import { CRYPTO_METHOD, type Settings, type StatusMeaning } from "./options"

/** A transaction as the simulator holds it; every field can be edited to see what a client makes of it. */
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
  /** Where the payer goes after paying. */
  return: string
  failedUrl: string
  payload: string
  metadata: { userId?: string; userName?: string; clientIp?: string } | null
  /** Milliseconds since the epoch, as is expiresAt. */
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

/** What a transaction is made from; all but the amount has a default. */
export type NewTransaction = Pick<SimulatedTransaction, "amount"> &
  Partial<Omit<SimulatedTransaction, "id" | "amount">>

/** Everything but the id can be changed behind the client's back. */
export type TransactionChanges = Partial<Omit<SimulatedTransaction, "id">>

/** Thrown for an id that the simulator never issued. */
export class UnknownTransaction extends Error {
  constructor(id: string) {
    super(`There is no transaction ${id}.`)
    this.name = "UnknownTransaction"
  }
}

/** The transactions of one simulator, in memory, with the version before the last change of each. */
export class Transactions {
  private readonly held = new Map<string, SimulatedTransaction>()
  private readonly earlier = new Map<string, SimulatedTransaction>()
  private readonly expirySeen = new Set<string>()

  constructor(
    private readonly settings: Settings,
    private readonly now: () => number
  ) {}

  /** Adds a pending transaction. */
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
    this.held.set(id, transaction)
    return { ...transaction }
  }

  /** All, in order of creation. Copies: a change goes through `change`. */
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

  /** The version before the last change, as a lagging replica would answer. */
  stale(id: string): SimulatedTransaction | undefined {
    const transaction = this.earlier.get(id) ?? this.held.get(id)
    return transaction && { ...transaction }
  }

  /** @throws UnknownTransaction */
  change(id: string, changes: TransactionChanges): SimulatedTransaction {
    const current = this.get(id)
    const changed = { ...current, ...changes, id }
    this.earlier.set(id, current)
    this.held.set(id, changed)
    return { ...changed }
  }

  /** Records a payment of possibly another amount or currency, whatever the state: also paid late. */
  pay(id: string, paid: { amount?: number; currency?: string }): SimulatedTransaction {
    const current = this.get(id)
    const amount = paid.amount ?? current.amount
    return this.change(id, {
      status: this.settings.statuses.paid,
      amount,
      currency: paid.currency ?? current.currency,
      amountUsdt: round(amount / current.usdtRate, 6),
    })
  }

  /** What the status of a transaction means; undefined for a name that no option gives. */
  meaning(status: string): StatusMeaning | undefined {
    const entries = Object.entries(this.settings.statuses) as [StatusMeaning, string][]
    return entries.find(([, name]) => name === status)?.[0]
  }

  isPending(transaction: SimulatedTransaction): boolean {
    return transaction.status === this.settings.statuses.pending
  }

  /** Expires what is due and answers what it expired; a transaction set back to pending stays so. */
  expireDue(): SimulatedTransaction[] {
    if (!this.settings.autoExpire) return []
    const now = this.now()
    const expired: SimulatedTransaction[] = []
    for (const transaction of this.held.values()) {
      if (transaction.expiresAt > now || this.expirySeen.has(transaction.id)) continue
      this.expirySeen.add(transaction.id)
      if (!this.isPending(transaction)) continue
      expired.push(this.change(transaction.id, { status: this.settings.statuses.expired }))
    }
    return expired
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
