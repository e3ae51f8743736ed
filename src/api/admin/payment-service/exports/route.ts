import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule, type ExportRecordRow } from "../../../../modules/payment-service"
import { type RefusalCode, refusalMessages } from "../../../../settlement/problems/refusals"
import type { ExportsQuery } from "./validators"

/** Lists the requested exports, newest first. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { limit, offset } = req.validatedQuery as ExportsQuery
  const [records, count] = await paymentServiceModule(req.scope).listAndCountExportRecords(
    {},
    { order: { started_at: "DESC", id: "DESC" }, take: limit, skip: offset }
  )
  res.json({ exports: records.map(viewOf), count, limit, offset })
}

function viewOf(record: ExportRecordRow) {
  const { created_at: _created, updated_at: _updated, deleted_at: _deleted, ...view } = record
  const { error, error_code, ...others } = view
  const code = (error_code ?? "other") as RefusalCode
  return {
    ...others,
    error,
    error_messages: error === null ? null : refusalMessages({ code, detail: error }),
  }
}
