import { readRecord } from "../../../src/service/schemas"
import http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { PaymentServiceClient, type ServiceConnection } from "../../../src/service/client"
import { PaymentServiceError } from "../../../src/service/errors"

export interface ReceivedRequest {
  method: string
  /** As sent, with query string. */
  url: string
  headers: http.IncomingHttpHeaders
  body: Buffer
}

export type Answer = (response: http.ServerResponse, request: ReceivedRequest) => void

export const MERCHANT = "0b7c6d1e-52a4-4f0e-8f4e-3b1a2c9d7e10"
export const SECRET = "canary-api-secret-71Qx"
export const SIGNING_SECRET = "whsec_test_signing_secret_0001"

/** A real HTTP server whose answers are given one after the other; the last one repeats. */
export class ScriptedService {
  readonly received: ReceivedRequest[] = []
  private answers: Answer[] = []
  private readonly sockets = new Set<Socket>()
  private readonly server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { method = "", url = "", headers } = request
      const received = { method, url, headers, body: Buffer.concat(chunks) }
      this.received.push(received)
      const next = this.answers.length > 1 ? this.answers.shift() : this.answers[0]
      next?.(response, received)
    })
  })

  async start(): Promise<void> {
    this.server.on("connection", (socket) => {
      this.sockets.add(socket)
      socket.on("close", () => this.sockets.delete(socket))
    })
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve))
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  get last(): ReceivedRequest {
    const request = this.received.at(-1)
    if (!request) throw new Error("nothing was received")
    return request
  }

  answer(...answers: Answer[]): void {
    this.received.length = 0
    this.answers = answers
  }
}

export function json(value: unknown, status = 200, headers: http.OutgoingHttpHeaders = {}): Answer {
  return text(JSON.stringify(value), status, { "content-type": "application/json", ...headers })
}

export function text(
  body: string | Buffer,
  status = 200,
  headers: http.OutgoingHttpHeaders = {}
): Answer {
  return (response) => response.writeHead(status, headers).end(body)
}

/** Sends a character every 20 ms and never ends. */
export const drip: Answer = (response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(timer))
}

export const silence: Answer = () => undefined

export const reset: Answer = (response) => response.socket?.destroy()

/** Keeps every line, so that a test can look for what must not be there. */
export class KeptLog {
  readonly lines: string[] = []
  readonly debug = (message: string) => void this.lines.push(`debug ${message}`)
  readonly info = (message: string) => void this.lines.push(`info ${message}`)
  readonly warn = (message: string) => void this.lines.push(`warn ${message}`)
  readonly error = (message: string) => void this.lines.push(`error ${message}`)
}

export function clientFor(
  baseUrl: string,
  settings: Partial<ServiceConnection> = {},
  deps: ConstructorParameters<typeof PaymentServiceClient>[1] = {}
): PaymentServiceClient {
  const credentials = { merchantId: MERCHANT, secret: SECRET, signingSecret: SIGNING_SECRET }
  return new PaymentServiceClient({ baseUrl, ...credentials, ...settings }, deps)
}

/** The error of a call that must fail. */
export async function failureOf(
  call: Promise<unknown> | (() => unknown)
): Promise<PaymentServiceError> {
  const error = await Promise.resolve(typeof call === "function" ? attempt(call) : call).then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (error instanceof PaymentServiceError) return error
  throw new Error(`expected a PaymentServiceError, got ${String(error)}`)
}

async function attempt(call: () => unknown): Promise<unknown> {
  return call()
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** The records of an export that are as specified, one by one. */
export async function* recordsOf(batches: AsyncIterable<unknown[]>) {
  for await (const batch of batches) {
    for (const record of batch.map(readRecord)) if (!("odd" in record)) yield record
  }
}
