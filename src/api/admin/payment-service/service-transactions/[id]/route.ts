import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../../modules/payment-service"
import { notFound } from "../../../../../modules/payment-service/refused-deed"
import { WHOLE_UUID } from "../../../../../service/uuid"
import { askEachMerchant } from "../../ask-each-merchant"
import { inReadersLanguage } from "../../in-readers-language"
import { merchantsOf } from "../merchant-of"

/**
 * Asks the service for one transaction, whether this store knows it or not. `record` is the full answer, or null when the service
 * does not know the id; `listed` is its record in a list that was fetched in the last half hour, if there is one. Our row is
 * found by either, because a record may have another id than its transaction.
 */
export const GET = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    const module = paymentServiceModule(req.scope)
    const id = req.params.id ?? ""
    if (!WHOLE_UUID.test(id)) throw notFound("no_transaction_id", id)
    const [accounts, row, listed] = await Promise.all([
      module.accounts(),
      module.findByTransactionId(id),
      module.listings.findRecord(id),
    ])
    const { account } = req.validatedQuery as { account?: string }
    const options = row && accounts.findForRow(row)
    const merchants = options
      ? accounts.merchantAccounts().filter((merchant) => merchant.accounts.includes(options))
      : merchantsOf(accounts, account)
    const found = await askEachMerchant(accounts, merchants, (client) => client.getTransaction(id))
    const record = found?.answer ?? null
    if (!record && !listed && !row) throw notFound("unknown_transaction", id)
    const rowId = row?.id ?? listed?.transaction_row_id ?? null
    res.json({ record, listed, transaction_row_id: rowId })
  }
)
