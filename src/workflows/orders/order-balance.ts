import type { Order, OrderParts } from "../../medusa/order"
import { namesTransaction, type Payment, sumOf } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { addAmounts, compareAmounts } from "../../settlement/amount"
import { causeOfBalance } from "../../settlement/cause"
import {
  balanceProblem,
  type BalanceProblem,
  type OrderBalance,
  partOfExcess,
} from "../../settlement/order-balance"
import type { ProblemKind } from "../../settlement/problems"
import { findHeldMoney } from "../../transactions/held-money"
import type { Ports } from "../../transactions/ports"

interface FollowedOrder {
  id: string
  canceled: boolean
  differs: ProblemKind | null
}

/**
 * Opens a problem for each order whose outstanding sum differs from the accepted one, and closes it otherwise. It is called right
 * after each capture, and once a day for every order for which a payment of ours was taken. Money of a canceled order is a
 * refund, which has a problem of its own.
 *
 * @returns the found orders, each with the kind of its problem, if there is one
 */
export async function followOrderBalances(
  ports: Ports,
  orderIds: string[]
): Promise<FollowedOrder[]> {
  const { module } = ports
  const [orders, links] = await Promise.all([
    ports.medusa.listOrders({ id: orderIds }, ["summary"]),
    ports.medusa.listOrderCollections({ order_id: orderIds }),
  ])
  const rows = await module.transactions.listPaidIn(
    links.map(({ payment_collection_id }) => payment_collection_id)
  )
  const paidFor = ({ id }: Order) => {
    const collections = links.filter(({ order_id }) => order_id === id)
    return rows.filter((row) =>
      collections.some((link) => link.payment_collection_id === row.payment_collection_id)
    )
  }
  // Medusa's payments are read only for orders with an accepted sum or a problem, whose text names the last payment.
  const unclear = orders
    .filter(({ isCanceled }) => !isCanceled)
    .filter(
      (order) =>
        paidFor(order).some(({ accepted_amount }) => accepted_amount !== null) ||
        balanceProblem(balanceOf(order, []))
    )
    .flatMap(paidFor)
  const payments = unclear.length
    ? await ports.medusa.listPayments({
        payment_collection_id: unclear.map(({ payment_collection_id }) => payment_collection_id),
      })
    : []
  const settled: string[] = []
  const followed: FollowedOrder[] = []
  for (const order of orders) {
    const ours = paidFor(order).filter((row) => isCaptured(row, payments))
    const problem = order.isCanceled ? null : await problemOf(ports, balanceOf(order, ours), ours)
    if (problem) {
      await module.problems.report(problem.found, {
        ...(problem.row ? subjectOf(problem.row) : {}),
        order_id: order.id,
        amount: problem.amount,
        currency: order.currency.toUpperCase(),
      })
    } else {
      settled.push(causeOfBalance(order.id))
    }
    followed.push({
      id: order.id,
      canceled: order.isCanceled,
      differs: problem?.found.kind ?? null,
    })
  }
  await module.problems.close(settled)
  return followed
}

/**
 * The problem of an order's balance, and the payment that it names: the last one, or for an excess the one that holds most. Money
 * that the service has taken back is no excess, because the shop does not have it; that has a problem of its own.
 */
async function problemOf(
  ports: Ports,
  balance: OrderBalance,
  ours: TransactionRow[]
): Promise<(BalanceProblem & { row: TransactionRow | undefined }) | null> {
  const problem = balanceProblem(balance)
  const last = ours.at(-1)
  if (problem?.found.kind !== "paid_twice") {
    return problem && { ...problem, row: last }
  }
  const held = await Promise.all(
    ours.map(async (row) => ({ row, amount: (await findHeldMoney(ports, row)).amount }))
  )
  const [reversed, kept] = [true, false].map((isReversed) =>
    held.filter(({ row }) => (row.exception === "reversed") === isReversed)
  )
  const excess = balanceProblem({
    ...balance,
    outstanding: addAmounts(balance.outstanding, sumOf(reversed ?? [])),
  })
  if (excess?.found.kind !== "paid_twice") {
    return null
  }
  const most = kept?.reduceRight<(typeof held)[number] | undefined>(
    (found, one) => (found && compareAmounts(found.amount, one.amount) >= 0 ? found : one),
    undefined
  )
  return most && compareAmounts(most.amount, 0) > 0
    ? { ...partOfExcess(excess, most.amount), row: most.row }
    : { ...excess, row: last }
}

function balanceOf(order: Order & Pick<OrderParts, "summary">, ours: TransactionRow[]) {
  return {
    name: `#${order.displayId}`,
    orderId: order.id,
    currency: order.currency,
    ...order.summary,
    accepted: ours.reduce(
      (sum, { amount, accepted_amount }) =>
        accepted_amount === null ? sum : addAmounts(addAmounts(sum, amount), `-${accepted_amount}`),
      "0"
    ),
  }
}

/** Whether Medusa has captured the row's payment, because only then does its accepted sum count. */
function isCaptured(row: TransactionRow, payments: Payment[]): boolean {
  return payments.some(
    (payment) =>
      payment.collectionId === row.payment_collection_id &&
      namesTransaction(payment, row) &&
      payment.isCaptured &&
      !payment.isCanceled
  )
}
