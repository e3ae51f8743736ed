import { MedusaError } from "@medusajs/framework/utils"

import type { ConfiguredMerchantAccount } from "../../../../modules/payment-service/accounts"

/** The service's codes by their label, from all accounts of a merchant. */
interface SubscriptionCodes {
  statusCodes: Record<string, string>
  intervalCodes: Record<string, string>
}

export function subscriptionCodes({ accounts }: ConfiguredMerchantAccount): SubscriptionCodes {
  return {
    statusCodes: Object.assign(
      {},
      ...accounts.map(({ subscriptions }) => subscriptions.statusCodes)
    ) as SubscriptionCodes["statusCodes"],
    intervalCodes: Object.assign(
      {},
      ...accounts.map(({ subscriptions }) => subscriptions.intervalCodes)
    ) as SubscriptionCodes["intervalCodes"],
  }
}

/** The label of a code; null when no option lists it. */
export function labelOf(code: number, byLabel: Record<string, string>): string | null {
  return Object.keys(byLabel).find((label) => Number(byLabel[label]) === code) ?? null
}

/**
 * The code of a requested status.
 *
 * @throws MedusaError `INVALID_DATA` when it is neither a label nor a code
 */
export function statusCodeOf(name: string, { statusCodes }: SubscriptionCodes): number {
  const code = Object.hasOwn(statusCodes, name) ? statusCodes[name] : name
  if (!code || !/^\d{1,9}$/.test(code)) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `\`status\` must be a numeric code of the service, or a label that the option subscriptions.statusCodes gives one: ${name}`
    )
  }
  return Number(code)
}
