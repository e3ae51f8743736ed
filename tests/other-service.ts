import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"

/**
 * Another implementation of the Payment Service, written from its specification alone. It shares nothing with the simulator, and where
 * the specification shows nothing it does as it likes: other names of statuses, ids in upper case, numbers with an exponent, a list
 * behind a link with ids of its own. It calls back before it answers, it is slow, and the first answers about anything are a
 * gateway's error and a reply that breaks off.
 */
export const OTHER_STATUSES = { open: "AWAITING_PAYER", paid: "SETTLED" }
const METHODS: Record<number, string> = { 2: "SBPQR", 13: "TetherForm" }

interface Wanted {
  paymentMethod: number
  paymentDetails: { amount: number; currency: string }
  description?: string
  payload?: string
}
type Kept = Wanted & { id: string; recordId: string; status: string; at: Date }

const newId = () => randomUUID().toUpperCase()

/** JSON in which an amount is written as `1.2e+1`. */
const inJson = (value: unknown) =>
  JSON.stringify(value).replace(
    /("(?:amount|comission)":)(\d+(?:\.\d+)?)/g,
    (_, name: string, amount: string) => name + Number(amount).toExponential()
  )

export class OtherService {
  readonly merchantId = newId().toLowerCase()
  readonly secret = `secret-of-${newId()}`
  /** The address that its merchant has entered for callbacks. */
  callbackUrl: string | null = null
  /** Each answer waits for this. */
  slow: () => Promise<unknown> = () => pause(120)
  /** So many calls wait for their answers now, and so many did at most. */
  open = 0
  mostOpen = 0
  private readonly kept: Kept[] = []
  private readonly asked = new Map<string, number>()
  private readonly server = createServer((request, response) => {
    this.mostOpen = Math.max(this.mostOpen, ++this.open)
    this.answer(request, response)
      .catch((error: unknown) => response.destroy(error as Error))
      .finally(() => this.open--)
  })

  static async start(): Promise<OtherService> {
    const service = new OtherService()
    await once(service.server.listen(0), "listening")
    return service
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}/merchant-api`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await once(this.server.close(), "close")
  }

  /** Adds a transaction that no store has begun, and returns its id. */
  add(status: string): string {
    const wanted = { paymentMethod: 2, paymentDetails: { amount: 10, currency: "RUB" } }
    return this.keep(wanted, status).id
  }

  async pay(id: string): Promise<void> {
    const paid = this.kept.find((one) => one.id === id.toUpperCase())
    if (!paid) throw new Error(`There is no transaction ${id}`)
    paid.status = OTHER_STATUSES.paid
    await this.callBack(paid)
  }

  private keep(wanted: Wanted, status: string): Kept {
    const kept = { ...wanted, id: newId(), recordId: newId(), status, at: new Date() }
    this.kept.push(kept)
    return kept
  }

  /** The specification shows neither the fields of a callback nor its form. */
  private async callBack({ id, status }: Kept): Promise<void> {
    if (!this.callbackUrl) return
    const body = new URLSearchParams({ event: JSON.stringify({ what: { id, status } }) })
    await fetch(this.callbackUrl, { method: "POST", body })
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = `${request.method} ${request.url}`.replace("/merchant-api", "")
    const body = await text(request)
    await this.slow()
    const { "x-merchantid": merchant, "x-secret": secret } = request.headers
    if (merchant !== this.merchantId || secret !== this.secret) return send(response, 401, "Who?")
    if (path === "GET /list") return send(response, 200, this.list())
    const times = this.asked.get(path) ?? 0
    this.asked.set(path, times + 1)
    if (times === 0) return send(response, 502, "<html>Bad gateway</html>")
    const found = this.kept.find(({ id }) => path === `GET /transaction/${id}`)
    if (found) send(response, 200, this.details(found), times === 1)
    else if (path.endsWith("/export/json")) send(response, 200, JSON.stringify(`${this.url}/list`))
    else if (path.endsWith("/process")) send(response, 200, await this.create(body))
    else send(response, 404, "Nothing here")
  }

  private async create(body: string): Promise<string> {
    const wanted = JSON.parse(body) as Wanted
    const kept = this.keep(wanted, OTHER_STATUSES.open)
    await this.callBack(kept)
    const { amount, currency } = wanted.paymentDetails
    return JSON.stringify({
      paymentMethod: METHODS[wanted.paymentMethod],
      transactionId: kept.id,
      redirect: `${this.url}/pay?transaction=${kept.id}`,
      paymentDetails: `${currency} ${amount.toFixed(4)}`,
      status: "PENDING",
      expiresIn: "00:14:59",
      merchantId: this.merchantId.toUpperCase(),
      usdtRate: 81,
    })
  }

  private details({ id, status, paymentMethod: code, ...kept }: Kept): string {
    const { paymentDetails, payload, description } = kept
    const mechantId = this.merchantId.toUpperCase()
    const more = { paymentMethod: METHODS[code], comission: 0.5, expiresIn: "00:10:00", qr: "" }
    return inJson({ id, status, paymentDetails, payload, description, mechantId, ...more })
  }

  private list(): string {
    const records = this.kept.map((kept) => ({
      recordId: kept.recordId,
      createdAt: kept.at.toISOString().replace("T", " ").slice(0, 19),
      amount: kept.paymentDetails.amount,
      currencyCode: kept.paymentDetails.currency,
      status: kept.status,
      paymentMethod: METHODS[kept.paymentMethod],
      description: kept.description ?? "",
      payload: kept.payload ?? "",
    }))
    return inJson(records)
  }
}

/** @param breaksOff whether the connection ends in the middle of the body */
function send(response: ServerResponse, status: number, body: string, breaksOff = false): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body) })
  if (breaksOff) response.write(body.slice(0, 20), () => response.destroy())
  else response.end(body)
}
