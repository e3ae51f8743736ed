import type { Readable } from "node:stream"

import type { MedusaRequest } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import type { z } from "@medusajs/framework/zod"
import getRawBody from "raw-body"

import { RefusedAction } from "../refusals/refused"
import { type Code, text } from "../texts"

const MOST_BYTES = 16 * 1024

/** A body that may have a secret. Core's errors and log would repeat an unreadable one; the refusals from here repeat nothing. */
export async function readBody<Schema extends z.ZodType>(
  req: MedusaRequest,
  schema: Schema
): Promise<z.output<Schema>> {
  const bytes = await readLimitedBody(req, MOST_BYTES)
  if (bytes === null) throw invalid("too_long")
  requireOwnPage(req, bytes)
  const read = schema.safeParse(bytes.length ? parsed(bytes) : {})
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue?.code === "unrecognized_keys") throw invalid("field_unknown")
  const field = issue?.path.join(".") ?? ""
  throw field ? invalid("field_wrong", { field, why: issue?.message }) : invalid("not_as_expected")
}

/** A request's body; null as soon as it is too long: its stream stays open, so that an answer can be sent. Throws when it breaks off. */
export async function readLimitedBody(body: Readable, mostBytes: number): Promise<Buffer | null> {
  try {
    return await getRawBody(body, { limit: mostBytes })
  } catch (error) {
    body.resume()
    if ((error as getRawBody.RawBodyError).type === "entity.too.large") return null
    throw error
  }
}

/** Another site's form can send an admin's cookie, but neither JSON nor a header `Authorization`: a browser asks the store first. */
function requireOwnPage({ headers }: MedusaRequest, bytes: Buffer): void {
  const isJson = /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")
  const isEmpty = bytes.length === 0 && headers.authorization !== undefined
  if (!isJson && !isEmpty) throw invalid("not_sent_as_json")
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    throw invalid("not_json")
  }
}

function invalid(why: Code<"invalidRequests">, facts?: Parameters<typeof text>[2]): RefusedAction {
  const said = text("invalidRequests", why, facts)
  return new RefusedAction("invalid_request", said, {}, MedusaError.Types.INVALID_DATA)
}
