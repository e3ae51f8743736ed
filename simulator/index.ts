import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

import type { CallbackMode } from "./callbacks"
import type { Fault } from "./faults"
import {
  withoutUndefined,
  type Settings,
  type SimulatorOptions,
  type StatusMeaning,
} from "./options"
import { simulatorServer } from "./server"
import { SimulatorState } from "./state"
import type { SimulatedSubscription } from "./subscriptions"
import type { NewTransaction, SimulatedTransaction, TransactionChanges } from "./transactions"

export type { Fault } from "./faults"
export type { SimulatorOptions } from "./options"
export type { SimulatedPayout } from "./payouts"
export type { RecordedRequest } from "./requests"
export type { SimulatedTransaction } from "./transactions"
/** Settings that can change while the simulator runs. */
export type SettingsChanges = Partial<Omit<Settings, "publicUrl" | "scheme" | "merchantId">>

interface Sending {
  times?: number
  delayMs?: number
}

/** Whether a change sends a callback; default yes. */
interface CallbackOptions {
  callback?: boolean
}

/** A running stand-in for the Payment Service. */
export class Simulator {
  private closed: Promise<void> | undefined

  constructor(
    private readonly state: SimulatorState,
    private readonly server: Server,
    private readonly closing: AbortController,
    /** Base address for a client. */
    readonly url: string,
    readonly port: number
  ) {}

  get merchantId(): string {
    return this.state.settings.merchantId
  }
  get secret(): string {
    return this.state.settings.secret
  }
  get signingSecret(): string {
    return this.state.settings.signingSecret
  }
  get scheme(): string {
    return this.state.settings.scheme
  }

  setCallbackUrl(url: string | null): void {
    this.state.settings.callbackUrl = url
  }

  setCallbackMode(mode: Partial<CallbackMode>): void {
    this.state.callbacks.setMode(mode)
  }

  configure({ statuses, statusCodes, ...rest }: SettingsChanges): void {
    const { settings } = this.state
    Object.assign(settings.statuses, statuses)
    Object.assign(settings.statusCodes, statusCodes)
    Object.assign(settings, withoutUndefined(rest))
  }

  /** All transactions, in order of creation. */
  transactions(): SimulatedTransaction[] {
    this.state.expireDue()
    return this.state.transactions.all()
  }

  /** @throws UnknownTransaction */
  transaction(id: string): SimulatedTransaction {
    this.state.expireDue()
    return this.state.transactions.get(id)
  }

  /** Adds a transaction that no client asked for. */
  addTransaction = (input: NewTransaction) => this.state.transactions.create(input)

  /** Pays, also after a decline or expiry. Resolves after the callback was answered. */
  pay = (id: string, how?: CallbackOptions & { amount?: number; currency?: string }) =>
    this.state.pay(id, how)

  decline = (id: string, how?: CallbackOptions) => this.setMeaning(id, "canceled", how)
  expire = (id: string, how?: CallbackOptions) => this.setMeaning(id, "expired", how)
  reverse = (id: string, how?: CallbackOptions) => this.setMeaning(id, "reversed", how)

  /** Sets any status, also a name without an option. */
  setStatus = (id: string, status: string, how?: CallbackOptions) =>
    this.state.setStatus(id, status, how)

  /** Changes the data of later reads, without a callback. */
  edit = (id: string, changes: TransactionChanges) => this.state.transactions.change(id, changes)

  /** Sends a callback now, whatever the mode. Returns the HTTP status of each copy, 0 for no answer. */
  async sendCallback(id: string, how?: Sending & { body?: unknown }): Promise<number[]> {
    return this.state.callbacks.send(this.state.transactions.get(id), how)
  }

  /** Sends any body to the receiver of callbacks. */
  sendRawCallback = (body: unknown, how?: Sending) => this.state.callbacks.sendBody(null, body, how)

  fault = (fault: Fault) => this.state.faults.add(fault)
  /** The unused faults. */
  faults = () => this.state.faults.all()
  clearFaults = () => this.state.faults.clear()

  /**
   * The last requests to the service's endpoints, without pages and control routes. Secrets and card numbers are masked; `status`
   * shows whether the credentials were right.
   */
  requests = (filter?: { on?: string }) => this.state.requests.all(filter?.on)
  clearRequests = () => this.state.requests.clear()

  /** Sent callbacks with their answers. */
  callbacks = () => this.state.callbacks.all()
  clearCallbacks = () => this.state.callbacks.clear()

  payouts = () => this.state.payouts.all()
  cards = () => this.state.payouts.allCards()
  /** USDT left for payouts. */
  usdtBalance = () => this.state.settings.usdtBalance

  subscriptions = () => this.state.subscriptions.all()
  editSubscription = (id: string, changes: Partial<Omit<SimulatedSubscription, "id">>) =>
    this.state.editSubscription(id, changes)
  sendSubscriptionCallback = (id: string, how?: { body?: unknown }) =>
    this.state.sendSubscriptionCallback(id, how)

  /** Milliseconds since the epoch by the simulator's clock. */
  now = () => this.state.now()
  /** Moves the simulator's clock forward. */
  advance = (ms: number) => this.state.advance(ms)

  /** Ends all connections, hanging replies and running callbacks. */
  close(): Promise<void> {
    this.closed ??= new Promise((resolve) => {
      this.closing.abort()
      this.state.callbacks.close()
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
    return this.closed
  }

  private setMeaning(id: string, meaning: StatusMeaning, how?: CallbackOptions): Promise<void> {
    return this.state.setStatus(id, this.state.settings.statuses[meaning], how)
  }
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
  const server = simulatorServer(state, closing.signal, options.password)
  server.listen(options.port ?? 0, host)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  if (!state.settings.publicUrl) state.settings.publicUrl = `http://localhost:${port}`
  const expiry = setInterval(() => state.expireDue(), EXPIRY_CHECK_MS).unref()
  closing.signal.addEventListener("abort", () => clearInterval(expiry))
  return new Simulator(state, server, closing, `http://${reachable(host)}:${port}`, port)
}

/** An address that a client on this machine can use for a host to listen on. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost"
  return host.includes(":") ? `[${host}]` : host
}
