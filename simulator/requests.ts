import { beginning, BoundedList } from "./bounded-list"
import type { Exchange } from "./exchange"
import type { Operation } from "./faults"
import { masked, maskedAddress, maskedHeaders } from "./masking"
import type { Settings } from "./options"

/** A request to the service's own endpoints as it arrived, except that secrets and card numbers are masked. */
export interface RecordedRequest {
  method: string
  /** With the query. */
  path: string
  on: string
  headers: Record<string, string>
  /** The first 16 KB. */
  body: string
  /** Bytes of the body as it arrived. */
  bodyBytes: number
  /** HTTP status of the answer; null until or without one. */
  status: number | null
  at: number
}

const KEPT = 10_000

/** The last requests to the service, limited because anybody may send any number. */
export class Requests {
  private readonly kept = new BoundedList<RecordedRequest>(KEPT)

  constructor(private readonly settings: Settings) {}

  /** Keeps a request; the caller that answers it fills in its `status`. */
  record(on: Operation, exchange: Exchange, address: string, at: number): RecordedRequest {
    const { settings } = this
    const request: RecordedRequest = {
      method: exchange.method,
      path: maskedAddress(address, settings),
      on,
      headers: maskedHeaders(exchange.headers, settings),
      body: beginning(masked(exchange.body.toString("utf8"), settings)),
      bodyBytes: exchange.body.length,
      status: null,
      at,
    }
    this.kept.add(request)
    return request
  }

  /** Copies of the requests, the oldest first; of one operation when `on` is given. */
  all(on?: string | null): RecordedRequest[] {
    return this.kept
      .all()
      .filter((request) => !on || request.on === on)
      .map((request) => ({ ...request, headers: { ...request.headers } }))
  }

  /** The newest requests, newest first. */
  latest(count: number): RecordedRequest[] {
    return this.kept.latest(count)
  }

  clear(): void {
    this.kept.clear()
  }
}
