import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findNames } from "../../../../medusa/users"
import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportsQuery } from "./validators"

/** Lists who exported what, the latest first. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { limit, offset } = req.validatedQuery as ExportsQuery
  const [records, count] = await paymentServiceModule(req.scope).listAndCountExportRecords(
    {},
    { order: { at: "DESC", id: "DESC" }, take: limit, skip: offset }
  )
  const names = await findNames(
    req.scope,
    records.map(({ by }) => by)
  )
  res.json({
    exports: records.map(({ id, by, source, format, from, to, rows, outcome, at }) => ({
      id,
      by,
      by_name: names.get(by) ?? null,
      source,
      format,
      from,
      to,
      rows,
      outcome,
      at,
    })),
    count,
    limit,
    offset,
  })
}
