import type { Accounts, TransactionRow } from "../../modules/payment-service"
import { isProvenSince } from "../../settlement/evidence"
import { READ_LEASE } from "../../settlement/timing"
import type { TransactionState } from "../../settlement/transaction-state"
import { readTransaction } from "../../transactions/read-transaction"
import type { SettlePorts } from "../ports"
import { applyDecision } from "./apply-decision"
import { reportSettlement } from "./report-settlement"

export interface Settled {
  state: TransactionState
  exception: string | null
  order_id: string | null
}

export interface SettleOptions {
  /** A proof of payment that was asked for since then is used without another read. */
  provenSince?: Date
  /** Leaves such a proof to the settle that read it, or to the watcher if that settle died. */
  leaveProven?: boolean
  /** The caller's accounts; by default the present ones. */
  accounts?: Accounts
}

/**
 * Settle: read one transaction at the service and make Medusa follow the proven state. Callback, return page, storefront poll,
 * watcher, reconciliation and admins all end here. It may run twice, in ten processes at once, or be killed in the middle, with
 * the same result.
 *
 * @param rowId id of our row (`pstx_…`), not the service's id
 * @throws PaymentServiceError when the service cannot be read
 */
export async function settleTransaction(
  ports: SettlePorts,
  rowId: string,
  { provenSince, leaveProven = false, accounts: given }: SettleOptions = {}
): Promise<Settled> {
  const { module } = ports
  const accounts = given ?? (await module.accounts())
  // The lease is released before Medusa is changed, because that waits for the cart's lock.
  const { before, read } = await module.leases.hold(`read:${rowId}`, READ_LEASE, async () => {
    const before = await module.transactions.get(rowId)
    const isProven = provenSince !== undefined && isProvenSince(before, provenSince)
    return { before, read: isProven ? null : await readTransaction(module, accounts, before) }
  })
  if (read === null && leaveProven) return outcomeOf(before)
  const row = read?.row ?? before
  const settled = await applyDecision(ports, accounts, row)
  await reportSettlement(ports, before, settled)
  return outcomeOf(settled)
}

function outcomeOf({ state, exception, order_id }: TransactionRow): Settled {
  return { state, exception, order_id }
}
