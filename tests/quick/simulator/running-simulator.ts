import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as delay } from "node:timers/promises"

import { startSimulator, type Simulator, type SimulatorOptions } from "../../../simulator"

const open: (() => Promise<void>)[] = []

/** Starts a simulator that `closeAll` closes. */
export async function running(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options)
  open.push(() => simulator.close())
  return simulator
}

/** A receiver of callbacks that answers `status` and keeps what it got. */
export async function receiver(status = 200, onRequest: () => void = () => {}) {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server: Server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      bodies.push(body)
      headers.push(request.headers)
      onRequest()
      response.writeHead(status).end()
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks/secret`,
    bodies,
    headers,
    json: () => bodies.map((body) => JSON.parse(body) as Record<string, unknown>),
  }
}

/** Waits until something holds, for five seconds at most or as long as is said. */
export async function eventually(holds: () => boolean, limitMs = 5_000): Promise<void> {
  for (let waited = 0; !holds(); waited += 10) {
    if (waited > limitMs) throw new Error(`still not: ${holds.toString()}`)
    await delay(10)
  }
}

/** For afterEach. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()))
}

export const creation = {
  paymentMethod: 2,
  paymentDetails: { amount: 1199.99, currency: "RUB" },
  description: "Order 18",
  return: "https://shop.example/ok",
  failedUrl: "https://shop.example/no",
  payload: "ref_1",
}

/** One HTTP exchange with the merchant's headers; the reply's body parsed when it is JSON. */
export async function call(
  simulator: Simulator,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; key?: boolean } = {}
) {
  const { body } = options
  const response = await fetch(simulator.url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(options.key !== false && {
        "X-MerchantId": simulator.merchantId,
        "X-Secret": simulator.secret,
      }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...options.headers,
    },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

/** A reply whose shape is what the tests are about. */
export type Json = Record<string, unknown>

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

export async function created(
  simulator: Simulator,
  changes: Record<string, unknown> = {}
): Promise<string> {
  const { status, body } = await call(simulator, "POST", "/transaction/process", {
    body: { ...creation, ...changes },
  })
  if (status !== 200) throw new Error(`creation answered ${status}: ${JSON.stringify(body)}`)
  return String(body.transactionId)
}
