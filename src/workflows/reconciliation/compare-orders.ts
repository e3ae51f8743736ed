import { portsOf } from "../../transactions/ports"
import { followOrderBalances } from "../orders/order-balance"
import type { Comparison } from "./comparison"

const PAGE = 100

/** Checks the balance of every order for which a payment was taken, however old it is (see `otherMerchants`). */
export async function compareOrders({
  container,
  module,
  otherMerchants,
  counts,
}: Comparison): Promise<void> {
  let after = ""
  for (;;) {
    const page = await module.reconciliation.paidOrders(otherMerchants, { after, limit: PAGE })
    const followed = page.length ? await followOrderBalances(portsOf(container), page) : []
    counts.differences += followed.filter(({ differs }) => differs !== null).length
    if (page.length < PAGE) {
      return
    }
    after = page.at(-1) ?? ""
  }
}
