/** The operations of the service, by short name; `file` is the file behind an export link. */
export const OPERATIONS = [
  "create",
  "get",
  "export",
  "file",
  "subscriptions",
  "cards",
  "payout",
  "other",
] as const
export type Operation = (typeof OPERATIONS)[number]

/**
 * The ways in which a reply goes wrong:
 * - `drop_before`, `drop_after`: the connection is cut before or after the request takes effect
 * - `status`: an error status (`status`, default 500; `retryAfterSeconds` becomes a header)
 * - `slow`: takes effect at once, answered after `delayMs` (default 1000)
 * - `truncate`: takes effect, the JSON ends half-way in a complete HTTP message
 * - `cut`: takes effect, the connection ends half-way through the announced length
 * - `stale`: a read returns the state before the last change
 * - `html`: 200 (or `status`) with a page, as from a proxy
 * - `hang`: no answer until the simulator closes
 * - `body`: 200 (or `status`) with `body` as JSON
 * - `callback_first`: on create only: the callback is sent and answered before the reply
 */
export const FAULT_KINDS = [
  "drop_before",
  "drop_after",
  "status",
  "slow",
  "truncate",
  "cut",
  "stale",
  "html",
  "hang",
  "body",
  "callback_first",
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  on: Operation | "any"
  kind: FaultKind
  status?: number
  retryAfterSeconds?: number
  /** A wait before the reply (or the cut), for every kind. */
  delayMs?: number
  /** The number of affected requests; default 1, Infinity for all. */
  times?: number
  /** Lets this many matching requests pass first. */
  skip?: number
  /** Only requests with this transaction in their path. */
  transactionId?: string
  /** Only paths that begin with this text, or match this expression. */
  path?: string | RegExp
  /** Whether a request with the fault `status`, `html`, `hang` or `body` still takes effect; default no. */
  applied?: boolean
  body?: unknown
}

interface ArmedFault extends Fault {
  left: number
  toSkip: number
}

/** Faults waiting for their requests; the oldest that matches is used. */
export class Faults {
  private armed: ArmedFault[] = []

  add(fault: Fault): void {
    if (fault.kind === "callback_first" && fault.on !== "create") {
      throw new RangeError("callback_first is a fault of create only.")
    }
    if (fault.kind === "stale" && !["get", "export", "any"].includes(fault.on)) {
      throw new RangeError("stale is a fault of get and export only.")
    }
    if (fault.times !== undefined && fault.times < 1) return
    this.armed.push({ ...fault, left: fault.times ?? 1, toSkip: fault.skip ?? 0 })
  }

  clear(): void {
    this.armed = []
  }

  /** The unused faults, each with the number of requests left for it. */
  all(): (Fault & { left: number })[] {
    return this.armed.map(({ toSkip, ...fault }) => ({ ...fault, skip: toSkip }))
  }

  /** Uses one turn of the first fault that matches. */
  take(on: Operation, path: string): Fault | undefined {
    for (const fault of this.armed) {
      if (!matches(fault, on, path)) continue
      if (fault.toSkip > 0) {
        fault.toSkip--
        continue
      }
      fault.left--
      if (fault.left <= 0) this.armed = this.armed.filter((other) => other !== fault)
      return fault
    }
    return undefined
  }
}

function matches(fault: Fault, on: Operation, path: string): boolean {
  if (fault.on !== "any" && fault.on !== on) return false
  if (fault.kind === "stale" && on !== "get" && on !== "export") return false
  if (fault.transactionId && !path.includes(fault.transactionId)) return false
  if (typeof fault.path === "string") return path.startsWith(fault.path)
  if (fault.path) return new RegExp(fault.path.source, fault.path.flags.replace("g", "")).test(path)
  return true
}
