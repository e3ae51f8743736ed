import type { BigNumberInput, MedusaContainer, PromotionTypes } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { findPromotionIds } from "./links"

/** Core's counters of the uses of promotions, as a number or a sum, by the id of the promotion or budget. */
export type Uses = Record<string, number>

interface Customer {
  customer_id: string | null
  email: string | null
}

interface Adjusted {
  adjustments?: { code?: string | null; amount: BigNumberInput }[]
}

/** The parts of an order that show which promotions it used. */
export interface PromotedOrder extends Customer {
  items: Adjusted[]
  shipping_methods: Adjusted[]
}

/** A promotion with the fields that core's types leave out. */
interface Promotion {
  id: string
  limit?: number | null
  used?: number | null
  campaign?: {
    budget?: {
      id: string
      type: PromotionTypes.CampaignBudgetTypeValues
      attribute?: string | null
      used?: unknown
      usages?: { attribute_value: string; used: unknown }[]
    } | null
  } | null
}

/** The present uses of a cart's promotions, as core counts them. */
export async function usesOfCart(container: MedusaContainer, cartId: string): Promise<Uses> {
  const promotionIds = await findPromotionIds(container, cartId)
  if (!promotionIds.length) {
    return {}
  }
  const [cart] = await container
    .resolve(Modules.CART)
    .listCarts({ id: [cartId] }, { select: ["customer_id", "email"] })
  const { customer_id = null, email = null } = cart ?? {}
  return await usesOf(container, { id: promotionIds }, { customer_id, email })
}

/** The present uses of these promotions: by all customers, or by this one where core counts each. */
export async function usesOf(
  container: MedusaContainer,
  promotionsOf: { id: string[] } | { code: string[] },
  customer: Customer
): Promise<Uses> {
  const promotions = (await container.resolve(Modules.PROMOTION).listPromotions(promotionsOf, {
    relations: ["campaign", "campaign.budget", "campaign.budget.usages"],
  })) as unknown as Promotion[]
  return Object.fromEntries(promotions.flatMap((promotion) => countersOf(promotion, customer)))
}

function countersOf(promotion: Promotion, customer: Customer): [string, number][] {
  const counters: [string, number][] = []
  if (typeof promotion.limit === "number") {
    counters.push([promotion.id, promotion.used ?? 0])
  }
  const budget = promotion.campaign?.budget
  if (budget?.type === "use_by_attribute") {
    // This budget limits the uses of each customer, so the sum over all customers does not matter.
    const value = Object.entries(contextOf(customer)).find(([name]) => name === budget.attribute)
    const own = budget.usages?.find(({ attribute_value }) => attribute_value === value?.[1])
    counters.push([budget.id, Number(own?.used ?? 0)])
  } else if (budget) {
    counters.push([budget.id, Number(budget.used ?? 0)])
  }
  return counters
}

/** The customer's attributes by which core may count uses. */
export function contextOf({
  customer_id,
  email,
}: Customer): PromotionTypes.CampaignBudgetUsageContext {
  return { customer_id, customer_email: email }
}
