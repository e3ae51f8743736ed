import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { inReadersLanguage } from "../../in-readers-language"
import { queryOf } from "../../query-fields"
import { type Format, sendFile } from "../send-file"
import { serviceFile } from "../service-file"
import { storeFile } from "../store-file"
import type { ServiceExportQuery, StoreExportQuery } from "../validators"

const FORMATS: Format[] = ["csv", "xlsx", "json"]

/** `transactions.csv`, `transactions.xlsx` or `transactions.json`: what the filters leave, as a file. */
export const GET = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    const format = formatOf(req.params.file ?? "")
    const query = queryOf(req) as StoreExportQuery | ServiceExportQuery
    const file =
      query.source === "service"
        ? await serviceFile(req.scope, query, format)
        : await storeFile(req.scope, query, format)
    await sendFile(req, res, file)
  }
)

function formatOf(file: string): Format {
  const format = FORMATS.find((one) => file === `transactions.${one}`)
  if (!format) {
    const files = FORMATS.map((one) => `transactions.${one}`).join(", ")
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      `There is no export ${file}; there are ${files}.`
    )
  }
  return format
}
