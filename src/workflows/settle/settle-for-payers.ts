import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { settleInBackground } from "./settle-in-background"
import type { SettleOptions } from "./settle-transaction"

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
    if (going >= most) {
      return false
    }
    const module = paymentServiceModule(container)
    going++
    try {
      if (!(await module.dueTransactions.claimPoll(id))) {
        return false
      }
      await settleInBackground(container, id, options).catch((error: unknown) => {
        module.logger.warn(
          `Payment Service: transaction ${transaction_id ?? ""} could not be settled for its payer: ${reasonOf(error)}`
        )
      })
      return true
    } finally {
      going--
    }
  }
}
