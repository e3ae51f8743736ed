import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { contextOf, type PromotedOrder, type Uses, usesOf } from "../../medusa/promotions"

/**
 * Gives back a completion's uses of promotions, as core does when it rolls back.
 *
 * A counter shows only that it is higher than before the completion, and not whose use raised it. If another cart used the same
 * promotion meanwhile, a use may be given back that this completion never made: one use too many harms less than a paid cart that
 * can never be ordered. Otherwise uses are given back once, and only if they were made.
 */
export async function revertPromotionUse(
  container: MedusaContainer,
  order: PromotedOrder,
  before: Uses
): Promise<void> {
  const used = [...order.items, ...order.shipping_methods]
    .flatMap(({ adjustments = [] }) => adjustments)
    .flatMap(({ code, amount }) => (code ? [{ code, amount }] : []))
  if (!used.length) {
    return
  }
  const now = await usesOf(container, { code: used.map(({ code }) => code) }, order)
  if (Object.entries(now).some(([counter, times]) => times > (before[counter] ?? 0))) {
    await container.resolve(Modules.PROMOTION).revertUsage(used, contextOf(order))
  }
}
