import { portsOf } from "../../transactions/ports"
import { followOrderBalances } from "../orders/order-balance"
import type { Comparison } from "./comparison"

const PAGE = 100

/** Checks the balance of every order for which a payment of this merchant was taken, however old it is. */
export async function compareOrders({
  container,
  module,
  merchant,
  counts,
}: Comparison): Promise<void> {
  let after = ""
  for (;;) {
    const page = await module.reconciliation.paidOrders(merchant, { after, limit: PAGE })
    const followed = page.length ? await followOrderBalances(portsOf(container), page) : []
    counts.differences += followed.filter(({ differs }) => differs !== null).length
    if (page.length < PAGE) {
      return
    }
    after = page.at(-1) ?? ""
  }
}
