import { createHash } from "node:crypto"

import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import {
  type CallbackRow,
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../../../modules/payment-service"
import { callbackIds } from "../../../../modules/payment-service/callback-ids"
import { reasonOf } from "../../../../workflows/settle/apply-action"
import { settleCallback } from "../../../../workflows/settle/settle-callback"
import { readLimitedBody } from "../read-limited-body"

const MOST_BYTES = 16 * 1024

/**
 * Where the service rings. The specification shows neither payload nor signature of a callback, so it is
 * a doorbell: the ids in it make us look, and what is true is read from the service with our credentials.
 *
 * 404 wrong token, 413 over 16 kB, 400 not JSON, 503 when it could not be written down, else 200: unknown
 * ids included, so that nobody learns which ids are ours. Answered as soon as it is written down; the
 * settle follows at once, and the inbox job takes it up if this process dies.
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = req.scope.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  let callback: CallbackRow | null
  try {
    if (!(await module.acceptsToken(req.params.token ?? ""))) {
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
    if (parsed === undefined) {
      res.sendStatus(400)
      return
    }
    callback = await module.keepCallback({
      transactionIds: callbackIds(parsed),
      size: body.length,
      digest: createHash("sha256").update(body).digest("hex"),
    })
  } catch (error) {
    module.logger.error(`Payment Service: a callback could not be written down: ${reasonOf(error)}`)
    res.sendStatus(503)
    return
  }
  res.sendStatus(200)
  if (callback) {
    await settleCallback(req.scope, callback).catch((error: unknown) => {
      module.logger.error(
        `Payment Service: a callback is left for the next round: ${reasonOf(error)}`
      )
    })
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown
  } catch {
    return undefined
  }
}
