import { once } from "node:events"
import type { AddressInfo } from "node:net"

import type { CallbackMode, SentCallback } from "./callbacks"
import type { Fault } from "./faults"
import { withoutUndefined, type Settings, type SimulatorOptions } from "./options"
import type { SimulatedCard, SimulatedPayout } from "./payouts"
import type { RecordedRequest } from "./requests"
import { simulatorServer } from "./server"
import { SimulatorState } from "./state"
import type { SimulatedSubscription } from "./subscriptions"
import type { NewTransaction, SimulatedTransaction, TransactionChanges } from "./transactions"

export type { CallbackMode, SentCallback } from "./callbacks"
export type { Fault, FaultKind, Operation } from "./faults"
export type {
  CallbackBody,
  CallbackSubject,
  ExportForm,
  SimulatorOptions,
  StatusMeaning,
} from "./options"
export type { SimulatedCard, SimulatedPayout } from "./payouts"
export type { RecordedRequest } from "./requests"
export type { SimulatedSubscription } from "./subscriptions"
export type { NewTransaction, SimulatedTransaction, TransactionChanges } from "./transactions"

/** Settings that can change while the simulator runs. */
export type SettingsChanges = Partial<Omit<Settings, "publicUrl" | "scheme" | "merchantId">>

/** Whether a change sends a callback; default yes. */
export interface CallbackOptions {
  callback?: boolean
}

/** A running stand-in for the Payment Service. */
export interface Simulator {
  /** Base address for a client. */
  readonly url: string
  readonly port: number
  readonly merchantId: string
  readonly secret: string
  readonly signingSecret: string
  readonly scheme: string
  setCallbackUrl(url: string | null): void
  setCallbackMode(mode: Partial<CallbackMode>): void
  configure(changes: SettingsChanges): void
  /** All transactions, in order of creation. */
  transactions(): SimulatedTransaction[]
  /** @throws UnknownTransaction */
  transaction(id: string): SimulatedTransaction
  /** Adds a transaction that no client asked for. */
  addTransaction(input: NewTransaction): SimulatedTransaction
  /** Pays, also after a decline or expiry. Resolves after the callback was answered. */
  pay(id: string, options?: CallbackOptions & { amount?: number; currency?: string }): Promise<void>
  decline(id: string, options?: CallbackOptions): Promise<void>
  expire(id: string, options?: CallbackOptions): Promise<void>
  reverse(id: string, options?: CallbackOptions): Promise<void>
  /** Sets any status, also a name without an option. */
  setStatus(id: string, status: string, options?: CallbackOptions): Promise<void>
  /** Changes the data of later reads, without a callback. */
  edit(id: string, changes: TransactionChanges): void
  /** Sends a callback now, whatever the mode. Returns the HTTP status of each copy, 0 for no answer. */
  sendCallback(
    id: string,
    options?: { times?: number; delayMs?: number; body?: unknown }
  ): Promise<number[]>
  /** Sends any body to the receiver of callbacks. */
  sendRawCallback(body: unknown, options?: { times?: number; delayMs?: number }): Promise<number[]>
  fault(fault: Fault): void
  /** The unused faults. */
  faults(): (Fault & { left: number })[]
  clearFaults(): void
  /**
   * The last requests to the service's endpoints, without pages and control routes. Secrets and card numbers are masked; `status`
   * shows whether the credentials were right.
   */
  requests(filter?: { on?: string }): RecordedRequest[]
  clearRequests(): void
  /** Sent callbacks with their answers. */
  callbacks(): SentCallback[]
  clearCallbacks(): void
  payouts(): SimulatedPayout[]
  cards(): SimulatedCard[]
  /** USDT left for payouts. */
  usdtBalance(): number
  subscriptions(): SimulatedSubscription[]
  editSubscription(id: string, changes: Partial<Omit<SimulatedSubscription, "id">>): void
  sendSubscriptionCallback(id: string, options?: { body?: unknown }): Promise<number[]>
  /** Milliseconds since the epoch by the simulator's clock. */
  now(): number
  /** Moves the simulator's clock forward. */
  advance(ms: number): void
  /** Ends all connections, hanging replies and running callbacks. */
  close(): Promise<void>
}

const EXPIRY_CHECK_MS = 250
const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/**
 * Starts a simulator and resolves when it listens.
 * @throws Error when other machines could reach it without a password; the error of `listen`, for instance EADDRINUSE
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? "127.0.0.1"
  if (!options.password && !THIS_MACHINE.test(host)) {
    throw new Error(
      "A simulator that other machines can reach marks payments as paid for anybody; give it a password with --password."
    )
  }
  const closing = new AbortController()
  const state = new SimulatorState(options, closing.signal)
  const { settings, transactions, callbacks, faults } = state
  const server = simulatorServer(state, closing.signal, options.password)
  server.listen(options.port ?? 0, host)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  if (!settings.publicUrl) settings.publicUrl = `http://localhost:${port}`
  const expiry = setInterval(() => state.expireDue(), EXPIRY_CHECK_MS).unref()
  let closed: Promise<void> | undefined

  return {
    url: `http://${reachable(host)}:${port}`,
    port,
    get merchantId() {
      return settings.merchantId
    },
    get secret() {
      return settings.secret
    },
    get signingSecret() {
      return settings.signingSecret
    },
    get scheme() {
      return settings.scheme
    },
    setCallbackUrl: (url) => {
      settings.callbackUrl = url
    },
    setCallbackMode: (mode) => {
      callbacks.setMode(mode)
    },
    configure: (changes) => {
      const { statuses, statusCodes, ...rest } = changes
      Object.assign(settings.statuses, statuses)
      Object.assign(settings.statusCodes, statusCodes)
      Object.assign(settings, withoutUndefined(rest))
    },
    transactions: () => {
      state.expireDue()
      return transactions.all()
    },
    transaction: (id) => {
      state.expireDue()
      return transactions.get(id)
    },
    addTransaction: (input) => transactions.create(input),
    pay: (id, how) => state.pay(id, how),
    decline: (id, how) => state.setStatus(id, settings.statuses.canceled, how),
    expire: (id, how) => state.setStatus(id, settings.statuses.expired, how),
    reverse: (id, how) => state.setStatus(id, settings.statuses.reversed, how),
    setStatus: (id, status, how) => state.setStatus(id, status, how),
    edit: (id, changes) => {
      transactions.change(id, changes)
    },
    sendCallback: async (id, how) => callbacks.send(transactions.get(id), how),
    sendRawCallback: (body, how) => callbacks.sendBody(null, body, how),
    fault: (fault) => faults.add(fault),
    faults: () => faults.all(),
    clearFaults: () => faults.clear(),
    requests: (filter) => state.requests.all(filter?.on),
    clearRequests: () => state.requests.clear(),
    callbacks: () => callbacks.all(),
    clearCallbacks: () => callbacks.clear(),
    payouts: () => state.payouts.all(),
    cards: () => state.payouts.allCards(),
    usdtBalance: () => settings.usdtBalance,
    subscriptions: () => state.subscriptions.all(),
    editSubscription: (id, changes) => {
      state.editSubscription(id, changes)
    },
    sendSubscriptionCallback: (id, how) => state.sendSubscriptionCallback(id, how),
    now: state.now,
    advance: (ms) => state.advance(ms),
    close: () => {
      closed ??= new Promise((resolve) => {
        clearInterval(expiry)
        closing.abort()
        callbacks.close()
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closed
    },
  }
}

/** An address that a client on this machine can use for a host to listen on. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost"
  return host.includes(":") ? `[${host}]` : host
}
