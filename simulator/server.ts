import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"

import { pause } from "./callbacks"
import { control } from "./control"
import {
  errorReply,
  json,
  readExchange,
  Refusal,
  text,
  type Exchange,
  type Reply,
} from "./exchange"
import type { Fault, Operation } from "./faults"
import { developerPages } from "./developer-page"
import { sameText } from "./credentials"
import { payerPages } from "./payer-page"
import type { RecordedRequest } from "./requests"
import { operationOf, perform, type Outcome } from "./routes"
import type { SimulatorState } from "./state"
import { UnknownTransaction } from "./transactions"

/** Builds the HTTP server. `closing` ends delayed and hung replies. With a password, only who knows it sees pages and control. */
export function simulatorServer(
  state: SimulatorState,
  closing: AbortSignal,
  password?: string
): Server {
  const server = createServer((request, response) => {
    // Clients compare their clock with this header.
    response.setHeader("date", new Date(state.now()).toUTCString())
    answer(request, response, state, closing, password).catch((error: unknown) => {
      if (error instanceof Refusal) {
        return send(response, errorReply(error.status, error.code, error.message))
      }
      if (error instanceof UnknownTransaction) {
        return send(response, errorReply(404, "not_found", error.message))
      }
      if (error instanceof RangeError) {
        return send(response, errorReply(400, "invalid_input", error.message))
      }
      // The address has a stray percent sign, or cannot be parsed.
      if (
        error instanceof URIError ||
        !URL.canParse(request.url ?? "", "http://simulator.invalid")
      ) {
        return send(response, errorReply(400, "invalid_address", "The address is not valid."))
      }
      // A client that stopped in the middle of its request is no failure of ours.
      if (!request.complete) return response.destroy()
      const message = error instanceof Error ? error.message : String(error)
      return send(response, errorReply(500, "simulator_failed", message))
    })
  })
  // Longer than clients keep a connection, because closing it first would look like a fault.
  server.keepAliveTimeout = 120_000
  return server
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: SimulatorState,
  closing: AbortSignal,
  password?: string
): Promise<void> {
  const exchange = await readExchange(request)
  state.expireDue()
  const on = operationOf(exchange.method, exchange.path)
  if (!on) {
    const mayEnter = !password || sameText(passwordOf(exchange), password)
    return send(response, mayEnter ? await page(exchange, state) : PASSWORD_NEEDED)
  }
  const recorded = state.requests.record(on, exchange, request.url ?? exchange.path, state.now())
  const answering = { response, recorded }
  const fault = state.faults.take(on, exchange.path)
  if (!fault) return sendRecorded(perform(on, exchange, state, false).reply, answering)
  await answerWithFault(fault, on, exchange, answering, state, closing)
}

const PASSWORD_NEEDED = text(401, "This simulator needs a password.")
PASSWORD_NEEDED.headers["www-authenticate"] = 'Basic realm="simulator", charset="UTF-8"'

/** The password of HTTP's Basic scheme, whoever is named; empty without one. */
function passwordOf({ headers }: Exchange): string {
  const [, credentials = ""] = /^basic +(.+)$/i.exec(headers.authorization ?? "") ?? []
  return Buffer.from(credentials, "base64").toString().split(/:(.*)/s)[1] ?? ""
}

interface Answering {
  response: ServerResponse
  recorded: RecordedRequest
}

/** Pages for people and the control routes; faults do not affect them. */
async function page(exchange: Exchange, state: SimulatorState): Promise<Reply> {
  // Keeps other web sites from driving a simulator on the developer's machine.
  if (exchange.method !== "GET" && exchange.headers["sec-fetch-site"] === "cross-site") {
    return errorReply(403, "cross_site", "Requests from other sites are not accepted.")
  }
  if (/^\/__simulator(\/|$)/.test(exchange.path)) return control(exchange, state)
  if (exchange.path.startsWith("/pay/")) return payerPages(exchange, state)
  return developerPages(exchange, state)
}

async function answerWithFault(
  fault: Fault,
  on: Operation,
  exchange: Exchange,
  answering: Answering,
  state: SimulatorState,
  closing: AbortSignal
): Promise<void> {
  const wait = () => pause(fault.delayMs ?? (fault.kind === "slow" ? 1_000 : 0), closing)
  const apply = (): Outcome => perform(on, exchange, state, fault.kind === "stale")
  const isInstead = ["status", "html", "hang", "body"].includes(fault.kind)
  if (fault.kind === "drop_before" || (isInstead && !fault.applied)) {
    await wait()
    sendBroken(fault, undefined, answering)
    return
  }
  const { reply, created } = apply()
  if (fault.kind === "callback_first" && created) await state.callbacks.send(created)
  await wait()
  sendBroken(fault, reply, answering)
}

function sendBroken(fault: Fault, reply: Reply | undefined, answering: Answering): void {
  const { response, recorded } = answering
  switch (fault.kind) {
    case "drop_before":
    case "drop_after":
      response.destroy()
      return
    case "hang":
      return
    case "status": {
      const status = fault.status ?? 500
      const broken = errorReply(status, "fault", `Status ${status} was asked for.`)
      if (fault.retryAfterSeconds !== undefined) {
        broken.headers["retry-after"] = String(fault.retryAfterSeconds)
      }
      return sendRecorded(broken, answering)
    }
    case "html": {
      const headers = { "content-type": "text/html; charset=utf-8" }
      const body = "<!doctype html><title>Please wait</title><h1>Please wait</h1>"
      return sendRecorded({ status: fault.status ?? 200, headers, body }, answering)
    }
    case "body":
      return sendRecorded(json(fault.status ?? 200, fault.body ?? null), answering)
  }
  if (!reply) return
  if (fault.kind === "truncate") {
    return sendRecorded({ ...reply, body: firstHalf(reply.body) }, answering)
  }
  if (fault.kind === "cut") {
    const length = String(Buffer.byteLength(reply.body))
    recorded.status = reply.status
    response.writeHead(reply.status, { ...reply.headers, "content-length": length })
    response.write(firstHalf(reply.body), () => response.destroy())
    return
  }
  sendRecorded(reply, answering)
}

function firstHalf(body: string): string {
  return body.slice(0, Math.floor(body.length / 2))
}

function sendRecorded(reply: Reply, { response, recorded }: Answering): void {
  recorded.status = reply.status
  send(response, reply)
}

function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(reply.status, {
    ...reply.headers,
    "content-length": String(Buffer.byteLength(reply.body)),
  })
  response.end(reply.body)
}
