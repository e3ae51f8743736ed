import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../../../../modules/payment-service"
import { PaymentServiceError } from "../../../../../service/errors"
import { WHOLE_UUID } from "../../../../../service/uuid"
import { inReadersLanguage } from "../../in-readers-language"
import { merchantOf } from "../merchant-of"

/**
 * Asks the service for one transaction, whether this store has heard of it or not. `record` is the answer in full, or
 * null when the service does not know the id; `listed` is the record of its list, if a list that had it was looked at
 * in the last half an hour.
 */
export const GET = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    const module = paymentServiceModule(req.scope)
    const id = req.params.id ?? ""
    if (!WHOLE_UUID.test(id)) {
      throw new MedusaError(MedusaError.Types.NOT_FOUND, `${id} is not the id of a transaction.`)
    }
    const [accounts, row, listed] = await Promise.all([
      module.accounts(),
      module.findByTransactionId(id),
      module.listings.findRecord(id),
    ])
    const { account } = req.validatedQuery as { account?: string }
    const options = (row && accounts.findForRow(row)) ?? merchantOf(accounts, account).accounts[0]
    const record = await accounts
      .client(options)
      .getTransaction(id)
      .catch((error: unknown) => {
        if (error instanceof PaymentServiceError && error.kind === "not_found") return null
        throw error
      })
    if (!record && !listed && !row) {
      throw new MedusaError(
        MedusaError.Types.NOT_FOUND,
        `The payment service has no transaction ${id}.`
      )
    }
    res.json({ record, listed, transaction_row_id: row?.id ?? null })
  }
)
