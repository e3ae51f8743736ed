import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import type { ExportFormat } from "../../../../../modules/payment-service/export-records"
import { inReadersLanguage } from "../../in-readers-language"
import { queryOf } from "../../query-fields"
import { payoutFile } from "../payout-file"
import { sendFile } from "../send-file"
import { serviceFile } from "../service-file"
import { storeFile } from "../store-file"
import type { PayoutExportQuery, ServiceExportQuery, StoreExportQuery } from "../validators"

const FORMATS: ExportFormat[] = ["csv", "xlsx", "json"]
const CONTENTS = ["transactions", "payouts", "payout-journal"] as const

/** Sends the filtered list as a file: `transactions.csv`, `payouts.xlsx`, `payout-journal.json` and so on. */
export const GET = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    const { content, format } = fileOf(writtenIn(req.originalUrl))
    if (content !== "transactions") {
      const source = content === "payouts" ? content : "payout_journal"
      const asked = queryOf(req) as PayoutExportQuery
      await sendFile(req, res, await payoutFile(req.scope, asked, { source, format }))
      return
    }
    const query = queryOf(req) as StoreExportQuery | ServiceExportQuery
    const file =
      query.source === "service"
        ? await serviceFile(req.scope, query, format)
        : await storeFile(req.scope, query, format)
    await sendFile(req, res, file)
  }
)

/** The undecoded file name in the address, because policies are matched with the undecoded address, too. */
function writtenIn(address: string): string {
  return address.replace(/\?.*$/s, "").replace(/\/$/, "").split("/").at(-1) ?? ""
}

function fileOf(file: string): { content: (typeof CONTENTS)[number]; format: ExportFormat } {
  const files = CONTENTS.flatMap((content) => FORMATS.map((format) => ({ content, format })))
  const nameOf = ({ content, format }: (typeof files)[number]) => `${content}.${format}`
  const found = files.find((one) => file === nameOf(one))
  if (!found) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      `There is no export ${file}; there are ${files.map(nameOf).join(", ")}.`
    )
  }
  return found
}
