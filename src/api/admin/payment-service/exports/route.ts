import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findNames } from "../../../../medusa/users"
import { paymentServiceModule, type ExportRecordRow } from "../../../../modules/payment-service"
import { type RefusalCode, refusalMessages } from "../../../../settlement/problems/refusals"
import type { ExportsQuery } from "./validators"

/** Lists the requested exports, newest first. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { limit, offset } = req.validatedQuery as ExportsQuery
  const module = paymentServiceModule(req.scope)
  const [records, count] = await Promise.all([
    module.listExportRecords(
      {},
      { order: { started_at: "DESC", id: "DESC" }, take: limit, skip: offset }
    ),
    module.exportRecords.count(),
  ])
  const names = await findNames(
    req.scope,
    records.map(({ by }) => by)
  )
  res.json({ exports: records.map((record) => viewOf(record, names)), count, limit, offset })
}

function viewOf(record: ExportRecordRow, names: Map<string, string>) {
  const { created_at: _created, updated_at: _updated, deleted_at: _deleted, ...view } = record
  const { error, error_code, ...others } = view
  const code = (error_code ?? "other") as RefusalCode
  return {
    ...others,
    by_name: names.get(record.by) ?? null,
    error,
    error_messages: error === null ? null : refusalMessages({ code, detail: error }),
  }
}
