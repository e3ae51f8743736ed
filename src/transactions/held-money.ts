import type { Order } from "../medusa/order"
import { namesTransaction, sumOf } from "../medusa/payments"
import type { RefundProofRow, TransactionRow } from "../modules/payment-service"
import { compareAmounts, subtractAmounts } from "../settlement/amount"
import { matchProofs } from "../settlement/proven-refunds"
import type { Ports } from "./ports"
import { withoutRefused } from "./refund-requests"

type PayoutProof = Pick<RefundProofRow, "id" | "amount" | "problem_id">

/** The money that Medusa holds from a transaction's payment, and its order. */
export interface HeldMoney {
  /** Captures minus refunds, exact; decimal text. */
  amount: string
  /** The proofs of payouts whose refund nobody has recorded yet. */
  paidOut: PayoutProof[]
  /** Those of them for which Medusa has no refund either. */
  unbooked: PayoutProof[]
  /** The sum that went back outside although Medusa has no refund for it yet, because its recording was interrupted. */
  unbookedOutside: string
  order: Pick<Order, "id" | "canceledAt"> | null
}

/**
 * Sums up the money that Medusa holds. Core writes a refund down before it asks the provider for it, so refunds count only as far
 * as proofs cover them.
 */
export async function findHeldMoney(ports: Ports, row: TransactionRow): Promise<HeldMoney> {
  const { payment_collection_id } = row
  const { module } = ports
  const payments = await ports.medusa.listPayments({ payment_collection_id }, [
    "captures",
    "refunds",
  ])
  const own = payments.filter((payment) => namesTransaction(payment, row))
  const captured = sumOf(own.flatMap(({ captures }) => captures))
  const refunds = withoutRefused(
    own.flatMap((payment) => payment.refunds),
    row
  )
  const proofs = await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  const paidOut = proofs.filter(isToBeRecorded)
  const { proven, unused } = matchProofs(
    [...proofs.filter((proof) => !isToBeRecorded(proof)), ...paidOut],
    refunds
  )
  const isTaken = compareAmounts(captured, 0) > 0
  const orderId = await ports.medusa.findOrderId(payment_collection_id)
  const [order] = orderId ? await ports.medusa.listOrders({ id: orderId }) : []
  return {
    amount: subtractAmounts(captured, sumOf(proven)),
    paidOut,
    // Money that Medusa never took cannot be refunded in Medusa.
    unbooked: isTaken ? unused.filter(isToBeRecorded) : [],
    unbookedOutside: isTaken ? sumOf(unused.filter(({ kind }) => kind === "outside")) : "0",
    order: order ?? null,
  }
}

/** An admin records a payout's refund; a refund outside is recorded by its proof itself. */
function isToBeRecorded({ kind, recorded_at }: Pick<RefundProofRow, "kind" | "recorded_at">) {
  return kind === "payout" && recorded_at === null
}
