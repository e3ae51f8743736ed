import { promisify } from "node:util"
import { gunzip as gunzipCallback } from "node:zlib"

import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { atLabelledPoint } from "../../../../database/labelled-points"
import { paymentServiceModule, type TransactionRow } from "../../../../modules/payment-service"
import { queueOf } from "../../../../payments"
import { isSettledOrHandled } from "../../../../payments/rules/transaction"
import { callbackIds, isAddressCheck, isJson } from "../../../../service/callback-ids"
import { problem } from "../../../../problems/rules/problems"
import { reasonOf } from "../../../../refusals/refused"
import { possibleSubscriptions } from "../../../../subscriptions/statements/lookups"
import { readLimitedBody } from "../../../read-body"

const MOST_BYTES = 16 * 1024
const gunzip = promisify(gunzipCallback)

/** A health check of the callback address: 404 for a wrong token, 503 when that cannot be known, else 200. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const { callbackTokens } = paymentServiceModule(req.scope)
  const accepted = await callbackTokens.accepts(req.params.token ?? "").catch(() => null)
  res.sendStatus(accepted === null ? 503 : accepted ? 200 : 404)
}
export const OPTIONS = GET

/**
 * A callback proves nothing. It is answered as soon as it is written down and its transactions are due; the settle follows at once.
 *
 * 404 wrong token, 413 over 16 kB, packed or unpacked, 400 neither JSON nor with an id, 503 when it could not be written down, else
 * 200: unknown ids included, so that nobody learns which ids are ours, and checks of the address (`isAddressCheck`).
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  let named: TransactionRow[]
  try {
    const isAccepted = await module.callbackTokens.accepts(req.params.token ?? "")
    if (!isAccepted) return void res.sendStatus(404)
    const body = await readLimitedBody(req, MOST_BYTES)
    const unpacked = body && (await unpack(body))
    // The rest of an oversized body is not read.
    if (!unpacked) return void res.set("Connection", "close").sendStatus(413)
    // The decoder leaves a byte order mark out.
    const text = new TextDecoder().decode(unpacked)
    const transactionIds = callbackIds(text)
    if (!transactionIds.length && !isAddressCheck(text)) {
      // It is the service's, or an outsider has the token.
      await module.problems.report(problem("callback_unreadable", {}))
      if (!isJson(text)) return void res.sendStatus(400)
    }
    const subscriptionIds = possibleSubscriptions(await module.accounts(), transactionIds)
    named = await module.callbacks.keep(transactionIds, subscriptionIds)
    await atLabelledPoint("callback:kept")
  } catch (error) {
    module.logger.error(`Payment Service: a callback could not be written down: ${reasonOf(error)}`)
    return void res.sendStatus(503)
  }
  res.sendStatus(200)
  await atLabelledPoint("callback:answered")
  // The watcher reads settled payments, and those that a person took care of: soon, and once for all their callbacks.
  queueOf(module).settleSoon(named.filter((row) => !isSettledOrHandled(row)))
}

/** Unpacks gzip, by its first bytes, because a proxy may have unpacked it and left the header; null when it is too long. */
async function unpack(body: Buffer): Promise<Buffer | null> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  return await gunzip(body, { maxOutputLength: MOST_BYTES }).catch((error: unknown) =>
    // A body that only begins like gzip is searched as it is.
    (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? null : body
  )
}
