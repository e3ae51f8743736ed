import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { settledWithin } from "../../modules/payment-service/settled-within"
import { settleInBackground } from "./settle-in-background"
import type { SettleOptions } from "./settle-transaction"

/** A longer settle goes on, but makes room for another one. */
const LONGEST_COUNTED_MS = 60_000

/**
 * Settles transactions because payers look at a page. Anybody can request such a page as often as they like, so each transaction
 * is read once in two seconds for all of them, on all instances together, and this process begins no more while `most` of these
 * settles run. Callbacks and the watcher have their own room.
 *
 * @returns a function that tells whether it settled the transaction; it never throws
 */
export function settlesForPayers(
  most: number
): (container: MedusaContainer, row: TransactionRow, options: SettleOptions) => Promise<boolean> {
  let going = 0
  return async (container, { id, transaction_id }, options) => {
    if (going >= most) return false
    const module = paymentServiceModule(container)
    going++
    try {
      if (!(await module.dueTransactions.claimPoll(id))) return false
      const settling = settleInBackground(container, id, options).catch((error: unknown) => {
        module.logger.warn(
          `Payment Service: transaction ${transaction_id ?? ""} could not be settled for its payer: ${reasonOf(error)}`
        )
      })
      await settledWithin(LONGEST_COUNTED_MS, settling)
      return true
    } finally {
      going--
    }
  }
}
