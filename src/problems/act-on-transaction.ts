import type { Accounts, TransactionRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { findCapturedMoney, reportBalances, stillHeld } from "../payments/follow-order"
import { lookAt, type Ports } from "../payments/read-transaction"
import { endOfWait, settleTransaction } from "../payments/queue"
import { isSameMerchant } from "../payments/rules/transaction"
import { reasonOf, refused, refusedPayment } from "../refusals/refused"
import { nullIfNotFound } from "../service/errors"
import { addAmounts, compareSums, isOwed, larger, subtractAmounts, sumOf } from "../values/amount"
import { actOnTransaction } from "./open-problem"

/** The sum that Medusa holds of a payment and that has not gone back, as decimal text; null when there is nothing to refund. */
export async function findRefundable(ports: Ports, row: TransactionRow): Promise<string | null> {
  if (row.settled_at === null || row.exception === "reversed") return null
  const held = stillHeld(await findCapturedMoney(ports, row))
  return isOwed(held) ? held : null
}

/**
 * Writes down that `amount` of a payment is to go back, unless that is due already: the problem *refund due* of its order asks for it
 * until the money has gone back. All sums are decimal text.
 *
 * @param asked `held`: the sum that Medusa held of the payment when the admin saw it
 * @throws MedusaError `NOT_ALLOWED` when Medusa holds another sum by now, or less than is to go back
 */
export async function askRefund(
  ports: SettlePorts,
  row: TransactionRow,
  { amount, held: seen, by }: { amount: string; held: string; by: string | null }
): Promise<void> {
  const { module, medusa } = ports
  const orderId = await medusa.findOrderId(row.payment_collection_id)
  if (!orderId || row.settled_at === null) throw refused("nothing_held")
  // A person must not pay back money that the service has taken back itself.
  await lookAt(module, await module.accounts(), row)
  await actOnTransaction(ports, row, async (now) => {
    if (now.exception === "reversed") throw refusedPayment("refund_of_reversed")
    const held = (await findRefundable(ports, now)) ?? "0"
    const sum = { amount: held, currency: now.currency }
    if (compareSums(held, seen) !== 0) throw refused("other_sum_held", { held: sum })
    if (compareSums(amount, held) > 0) throw refused("more_than_held", { held: sum })
    const [followed] = await reportBalances(ports, [orderId])
    if (!followed) return
    const { asked, back } = followed.due
    const due = sumOf(asked)
    // The refunds that were asked for of the order's other payments go back besides.
    const ofOthers = asked.filter(({ transaction_row_id: id }) => id !== now.id)
    const all = addAmounts(amount, sumOf(ofOthers))
    if (compareSums(larger(back, due), all) >= 0) return
    const line = { kind: "asked", amount: subtractAmounts(all, due), by } as const
    await module.ledger.add({ ...line, transaction_row_id: now.id, currency: now.currency })
    await reportBalances(ports, [orderId])
  })
}

/** Gives a row whose creation had no reply the id that the service's account area shows. It is settled at once, or by the watcher. */
export async function identifyTransaction(
  ports: SettlePorts,
  rowId: string,
  transactionId: string,
  by: string
): Promise<void> {
  const { module } = ports
  const giveUpAt = endOfWait()
  await module.openings.giveUpUnanswered()
  const row = await module.transactions.get(rowId)
  if (row.transaction_id?.toLowerCase() !== transactionId.toLowerCase()) {
    if (row.transaction_id !== null) throw refused("id_known", { id: row.transaction_id })
    // A reply may still come, and bring the id.
    if (row.state === "creating") throw refused("being_opened")
    const accounts = await module.accounts()
    if (!(await bindConfirmed({ module, accounts }, row, transactionId))) {
      const { transaction_id: bound } = await module.transactions.get(rowId)
      throw bound
        ? refused("id_known", { id: bound })
        : refused("id_of_other", { id: transactionId, reference: rowId })
    }
    await module.enterAction(rowId, "identified", by)
  }
  await settleTransaction(ports, rowId, giveUpAt).catch((error: unknown) => {
    module.logger.warn(
      `Payment Service: transaction ${transactionId} (${rowId}) has its id, and is settled later: ${reasonOf(error)}`
    )
  })
}

/** Gives the row this id, if the service answers for it with our reference and merchant; returns whether the row has it now. */
export async function bindConfirmed(
  { module, accounts }: Pick<Ports, "module"> & { accounts: Accounts },
  row: TransactionRow,
  transactionId: string
): Promise<boolean> {
  const client = accounts.client(accounts.getForRow(row))
  const details = await nullIfNotFound(client.getTransaction(transactionId))
  const isOurs = details?.payload === row.id && isSameMerchant(details.merchantId, row.merchant_id)
  return isOurs && (await module.openings.bind(row.id, details.id, details.status))
}
