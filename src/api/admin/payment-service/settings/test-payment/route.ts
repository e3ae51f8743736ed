import { z } from "@medusajs/framework/zod"

import { beginTestOrder } from "../../../../../medusa/core"
import { text } from "../../../../../texts"
import { type Asked, inReadersLanguage, languageOf } from "../../in-readers-language"
import { readBody } from "../../../../read-body"
import { requireSignedIn } from "../route"

const TestPayment = z.strictObject({
  region_id: z.string().max(100),
  provider_id: z.string().max(200),
  amount: z.number().positive().max(1_000_000),
})

/** Begins a payment as a shopper does, to see that all of it works. Paid, it is an order of the admin's for what is no product. */
export const POST = inReadersLanguage(async (req: Asked, module) => {
  const { region_id: regionId, provider_id: providerId, amount } = await readBody(req, TestPayment)
  const { email } = await requireSignedIn(req)
  const title = text("settingsNotices", "test_payment")[languageOf(req)]
  const { id } = await beginTestOrder(req.scope, { regionId, providerId, amount, email, title })
  const row = await module.findBySession(id)
  return { transaction_row_id: row?.id ?? null, redirect: row?.redirect ?? null }
})
