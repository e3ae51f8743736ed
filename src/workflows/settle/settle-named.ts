import type { MedusaContainer } from "@medusajs/framework/types"
import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { reasonOf } from "../../modules/payment-service/reason-of"
import type { RowId } from "../../settlement/ids"
import { settleInBackground } from "./settle-in-background"
import { shareNext } from "./share-next"
import { turnsOf } from "./turns"

/**
 * A process settles no more payments in a second when it settles more at once: each of them takes longer, and so does
 * whatever else it answers.
 */
const AT_ONCE = 4
/** A settle takes longer only where the service is slow, or somebody else holds the cart. */
const LONGEST_TURN_MS = 2_000
/** So many may hang at once, in a shop's own hook for example, before the others are left to the watcher's schedule. */
const MOST_UNFINISHED = 20
/** Transactions that wait here are due: if this process dies, the watcher takes them up. */
const inTurn = turnsOf(AT_ONCE, { longestMs: LONGEST_TURN_MS, most: MOST_UNFINISHED })
/** When the last callback came for a transaction that is to be settled, by the row's id. */
const lastReceived = new Map<string, Date>()

/**
 * Settles the transactions that a callback names, if nothing of them is settled yet. Where that fails, the watcher
 * tries again.
 */
export async function settleNamed(
  container: MedusaContainer,
  rows: TransactionRow[],
  receivedAt: Date
): Promise<void> {
  const module = paymentServiceModule(container)
  // Nobody waits for a settled or handled payment: the watcher reads it soon, once for all its callbacks.
  const awaited = rows.filter(({ settled_at, handled_at }) => !settled_at && !handled_at)
  await Promise.all(
    awaited.map(({ id, transaction_id }) => {
      lastReceived.set(id, receivedAt)
      return shareNext(`callback:${id}`, () => inTurn(() => settle(container, id))).catch(
        (error: unknown) => {
          module.logger.warn(
            `Payment Service: settling transaction ${transaction_id ?? ""} failed and will be tried again: ${reasonOf(error)}`
          )
        }
      )
    })
  )
  await atLabelledPoint("callback:settled")
}

async function settle(container: MedusaContainer, rowId: RowId): Promise<void> {
  const provenSince = lastReceived.get(rowId)
  lastReceived.delete(rowId)
  await settleInBackground(container, rowId, { provenSince })
}
