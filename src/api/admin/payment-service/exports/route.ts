import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findNames } from "../../../../medusa/users"
import { paymentServiceModule } from "../../../../modules/payment-service"
import type { PageQuery } from "../query-fields"

/** Lists who exported what, the latest first. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { limit, offset } = req.validatedQuery as PageQuery
  const [records, count] = await paymentServiceModule(req.scope).listAndCountExportRecords(
    {},
    { order: { at: "DESC", id: "DESC" }, take: limit, skip: offset }
  )
  const users = records.map(({ by }) => by)
  const names = await findNames(req.scope, users)
  const exports = records.map(({ created_at, updated_at, deleted_at, ...record }) => ({
    ...record,
    by_name: names.get(record.by) ?? null,
  }))
  res.json({ exports, count, limit, offset })
}
