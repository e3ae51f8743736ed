import { createHash } from "node:crypto"

import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule, type TransactionRow } from "../../../../modules/payment-service"
import { callbackIds } from "../../../../modules/payment-service/callback-ids"
import { atLabelledPoint } from "../../../../modules/payment-service/labelled-points"
import { possibleSubscriptions } from "../../../../modules/payment-service/subscription-lookups"
import { reasonOf } from "../../../../modules/payment-service/reason-of"
import { problem } from "../../../../settlement/problems"
import { isSettledOrHandled } from "../../../../settlement/standing"
import { queueOf } from "../../../../workflows/settle/queue"
import { readLimitedBody } from "../read-limited-body"

const MOST_BYTES = 16 * 1024

/**
 * Receives the service's callbacks. The specification shows neither their payload nor a signature, so a callback proves nothing:
 * its transactions are read from the service with our credentials.
 *
 * 404 wrong token, 413 over 16 kB, 400 not JSON, 503 when it could not be written down, else 200: unknown ids included, so that
 * nobody learns which ids are ours. It is answered as soon as it is written down and its transactions are due; the settle follows
 * at once.
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  let named: TransactionRow[]
  try {
    if (!(await module.callbackTokens.accepts(req.params.token ?? ""))) {
      res.sendStatus(404)
      return
    }
    const body = await readLimitedBody(req, MOST_BYTES)
    if (!body) {
      // The rest of an oversized body is not read.
      res.set("Connection", "close").sendStatus(413)
      return
    }
    const parsed = parseJson(body)
    const transactionIds = callbackIds(parsed)
    if (!transactionIds.length) {
      // It is the service's, or an outsider has the token.
      await module.problems.report(problem("callback_unreadable", {}))
    }
    if (parsed === undefined) {
      res.sendStatus(400)
      return
    }
    named = await module.callbacks.keep({
      transactionIds,
      subscriptionIds: possibleSubscriptions(await module.accounts(), transactionIds),
      size: body.length,
      digest: createHash("sha256").update(body).digest("hex"),
    })
    await atLabelledPoint("callback:kept")
  } catch (error) {
    module.logger.error(`Payment Service: a callback could not be written down: ${reasonOf(error)}`)
    res.sendStatus(503)
    return
  }
  res.sendStatus(200)
  await atLabelledPoint("callback:answered")
  // What is settled or taken care of stays with the watcher, which reads it soon, once for all its callbacks.
  queueOf(module).name(named.filter((row) => !isSettledOrHandled(row)))
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  } catch {
    return undefined
  }
}
