import type { Accounts, TransactionRow } from "../../modules/payment-service"
import { isProvenSince } from "../../settlement/evidence"
import type { RowId } from "../../settlement/ids"
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
  /** If the service was asked since then and proved the payment, it is not asked again. */
  provenSince?: Date
  /** Leaves such a proof to the settle that read it, or to the watcher should that one have died. */
  leaveProven?: boolean
  /** The accounts as the caller has them; those of now, if it has none. */
  accounts?: Accounts
}

/**
 * Settle: read one transaction at the service and bring Medusa to the state that it proves. Callback, return
 * page, storefront poll, watcher, reconciliation and admins all end here. It may run twice, in ten
 * places at once, or be killed in the middle: the result is the same.
 *
 * @param rowId id of our row (`pstx_…`), not the service's id
 * @throws PaymentServiceError when the service cannot be read
 */
export async function settleTransaction(
  ports: SettlePorts,
  rowId: RowId,
  { provenSince, leaveProven = false, accounts: given }: SettleOptions = {}
): Promise<Settled> {
  const { module } = ports
  const accounts = given ?? (await module.accounts())
  // The lease is released before Medusa is changed, because that waits for the cart's lock.
  const { before, row } = await module.leases.hold(`read:${rowId}`, READ_LEASE, async () => {
    const before = await module.transactions.get(rowId)
    return provenSince && isProvenSince(before, provenSince)
      ? { before, row: before }
      : { before, row: (await readTransaction(module, accounts, before)).row }
  })
  const wasProven = row === before
  if (wasProven && leaveProven) {
    return outcomeOf(row)
  }
  const settled = await applyDecision(ports, accounts, row)
  await reportSettlement(ports, before, settled)
  return outcomeOf(settled)
}

function outcomeOf({ state, exception, order_id }: TransactionRow): Settled {
  return { state, exception, order_id }
}
