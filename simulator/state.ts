import { Callbacks } from "./callbacks"
import { ExportFiles } from "./export"
import { Faults } from "./faults"
import { settingsFrom, type Settings, type SimulatorOptions } from "./options"
import { Payouts } from "./payouts"
import { Requests } from "./requests"
import { Subscriptions, type SimulatedSubscription } from "./subscriptions"
import { Transactions, type SimulatedTransaction } from "./transactions"

/** The whole state of one running simulator. */
export class SimulatorState {
  readonly settings: Settings
  readonly transactions: Transactions
  readonly subscriptions: Subscriptions
  readonly payouts: Payouts
  readonly callbacks: Callbacks
  readonly faults = new Faults()
  readonly exportFiles = new ExportFiles()
  readonly requests: Requests
  private aheadMs = 0

  /** @param closing ends what would happen later */
  constructor(
    private readonly options: SimulatorOptions,
    readonly closing: AbortSignal
  ) {
    this.settings = settingsFrom(options)
    this.transactions = new Transactions(this.settings, this.now)
    for (const transaction of options.transactions ?? []) this.transactions.restore(transaction)
    this.subscriptions = new Subscriptions(this.now())
    this.payouts = new Payouts(this.settings)
    this.callbacks = new Callbacks(this.settings, this.now)
    this.requests = new Requests(this.settings)
  }

  /** Milliseconds since the epoch by the simulator's clock. */
  readonly now = (): number => (this.options.now ?? Date.now)() + this.aheadMs

  /** Moves the clock forward, as if that time had passed. */
  advance(ms: number): void {
    this.aheadMs += ms
    this.expireDue()
  }

  /** Expires what is due and sends a callback about each expiry. */
  expireDue(): void {
    for (const transaction of this.transactions.expireDue()) {
      void this.callbacks.announce(transaction)
    }
  }

  /**
   * Pays, whatever the state before. Resolves after the callback was answered.
   * @throws UnknownTransaction
   */
  async pay(
    id: string,
    options: { amount?: number; currency?: string; callback?: boolean } = {}
  ): Promise<void> {
    await this.announce(this.transactions.pay(id, options), options)
  }

  /** Lists a second paid transaction with the same reference, as if the same code had been paid twice. @throws UnknownTransaction */
  async payAgain(id: string): Promise<void> {
    const { paymentMethod, amount, currency, description, payload, metadata } =
      this.transactions.get(id)
    const input = { paymentMethod, amount, currency, description, payload, metadata }
    await this.pay(this.transactions.create(input).id)
  }

  /** Gives a transaction any status, known or not. @throws UnknownTransaction */
  async setStatus(id: string, status: string, options: { callback?: boolean } = {}): Promise<void> {
    await this.announce(this.transactions.setStatus(id, status), options)
  }

  /** Changes a seeded subscription. @throws RangeError for an unknown id */
  editSubscription(
    id: string,
    changes: Partial<Omit<SimulatedSubscription, "id">>
  ): SimulatedSubscription {
    const changed = { ...this.subscription(id), ...changes }
    this.subscriptions.put(changed)
    return changed
  }

  /** Sends a callback about a subscription. Its events and its fields except the id are not specified. */
  async sendSubscriptionCallback(id: string, options: { body?: unknown } = {}): Promise<number[]> {
    const { status } = this.subscription(id)
    return this.callbacks.sendBody(null, options.body ?? { subscriptionId: id, status })
  }

  private subscription(id: string): SimulatedSubscription {
    const subscription = this.subscriptions.find(id)
    if (!subscription) throw new RangeError(`There is no subscription ${id}.`)
    return subscription
  }

  private async announce(
    transaction: SimulatedTransaction,
    options: { callback?: boolean }
  ): Promise<void> {
    if (options.callback !== false) await this.callbacks.announce(transaction)
  }
}
