import type { IncomingMessage } from "node:http"

import getRawBody from "raw-body"
import { z } from "zod"

/** A request after its body has been read. */
export interface Exchange {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body: Buffer
}

/** An answer before sending, so that a fault can still delay, cut or replace it. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

/** Thrown by a route; becomes the JSON error body `{"error":{"code","message"}}`. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string
  ) {
    super(message)
    this.name = "Refusal"
  }
}

/** A JSON answer. */
export function json(status: number, value: unknown): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body: JSON.stringify(value),
  }
}

/** A plain-text answer. */
export function text(status: number, body: string): Reply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    body,
  }
}

/** Sends a browser to another address with GET. */
export function seeOther(location: string): Reply {
  return { status: 303, headers: { location, "cache-control": "no-store" }, body: "" }
}

/** The error body of a refusal; the specification shows no error format, so this one is invented. */
export function errorReply(status: number, code: string, message: string): Reply {
  return json(status, { error: { code, message } })
}

const BODY_LIMIT = 1024 * 1024

/** Reads a request to its end; a body over 1 MB is refused with 413. */
export async function readExchange(request: IncomingMessage): Promise<Exchange> {
  const body = await getRawBody(request, { limit: BODY_LIMIT }).catch((error: unknown) => {
    // The rest is read and discarded, so that the refusal can still be answered.
    request.resume()
    if ((error as getRawBody.RawBodyError).type !== "entity.too.large") throw error
    throw new Refusal(413, "body_too_large", "The body is larger than 1 MB.")
  })
  const address = new URL(request.url ?? "/", "http://simulator.invalid")
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "")
  }
  return {
    method: request.method ?? "GET",
    path: address.pathname,
    query: address.searchParams,
    headers,
    body,
  }
}

/** Parses a body that must be sent as application/json. */
export function readJson(exchange: Exchange): unknown {
  const type = (exchange.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") {
    throw new Refusal(400, "content_type", "Content-Type must be application/json.")
  }
  return parsedJson(exchange.body)
}

/** Parses JSON. All routes use it, so that none accepts a body that another refuses. @throws Refusal 400 */
export function parsedJson(body: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new Refusal(400, "invalid_json", "The body is not valid UTF-8.")
  }
  if (text.startsWith("\uFEFF")) {
    throw new Refusal(400, "invalid_json", "The body begins with a byte order mark.")
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Refusal(400, "invalid_json", "The body is not valid JSON.")
  }
}

/** Checks a value by a schema; the first complaint becomes a 400 that names the field. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, {
    error: ({ code, input }) =>
      code === "invalid_type" && input === undefined ? "is missing" : undefined,
  })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join(".") || "body"
  throw new Refusal(400, "invalid_input", `${field}: ${issue?.message ?? "is not valid"}`)
}

/** A moment in the specification's form. */
export const utcTime = z.iso.datetime({ error: "must be a time in UTC like 2025-01-31T12:00:00Z" })
