import type { IPromotionModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { contextOf, type PromotedOrder, type Uses, usesOf } from "../../medusa/promotions"

/**
 * Gives back what a completion has used of promotions, as core does when it rolls back.
 *
 * From outside it cannot be seen whose use a counter shows, only that it is higher than before the
 * completion. Where others use the same promotion in that time, a use may be given back that the completion
 * had not come to: one too many harms less than a paid cart that can never be ordered. Where nobody does,
 * it is given back once, and only when it was used.
 */
export async function giveBackUse(
  container: MedusaContainer,
  order: PromotedOrder,
  before: Uses
): Promise<void> {
  const used = [...order.items, ...order.shipping_methods]
    .flatMap(({ adjustments = [] }) => adjustments)
    .flatMap(({ code, amount }) => (code ? [{ code, amount }] : []))
  const codes = used.map(({ code }) => code)
  const now = await usesOf(container, codes, order)
  if (Object.entries(now).some(([counter, times]) => times > (before[counter] ?? 0))) {
    await container
      .resolve<IPromotionModuleService>(Modules.PROMOTION)
      .revertUsage(used, contextOf(order))
  }
}
