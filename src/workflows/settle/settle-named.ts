import type { MedusaContainer } from "@medusajs/framework/types"
import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { isSettledOrHandled } from "../../settlement/standing"
import { settleInBackground } from "./settle-in-background"
import { shareNext } from "./share-next"
import { turnsOf } from "./turns"

/**
 * More settles at once would not settle more payments in a second, because each of them would take longer, and other requests,
 * too.
 */
const AT_ONCE = 4
/** A settle takes longer only where the service is slow, or another process holds the cart. */
const LONGEST_TURN_MS = 2_000
/** This many may hang at once, in a shop's own hook for example, before others are left to the watcher's schedule. */
const MOST_UNFINISHED = 20
/** Transactions that wait here are due, so the watcher takes them up if this process dies. */
const inTurn = turnsOf(AT_ONCE, { longestMs: LONGEST_TURN_MS, most: MOST_UNFINISHED })
/** The time of the last callback for a transaction that waits for its settle, by the row's id. */
const lastReceived = new Map<string, Date>()

/** Settles the transactions of a callback, unless they are settled already. After a failure, the watcher tries again. */
export async function settleNamed(
  container: MedusaContainer,
  rows: TransactionRow[],
  receivedAt: Date
): Promise<void> {
  const module = paymentServiceModule(container)
  // Settled and handled payments are left to the watcher, which reads each soon, once for all its callbacks.
  const awaited = rows.filter((row) => !isSettledOrHandled(row))
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

async function settle(container: MedusaContainer, rowId: string): Promise<void> {
  const provenSince = lastReceived.get(rowId)
  lastReceived.delete(rowId)
  await settleInBackground(container, rowId, { provenSince })
}
