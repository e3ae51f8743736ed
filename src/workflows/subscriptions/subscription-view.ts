import type { Subscription, SubscriptionListItem } from "../../service/client"

/** The fields that the service's list and its answer for a single subscription share, with names in Medusa's form. */
export function subscriptionFields(subscription: Subscription | SubscriptionListItem) {
  return {
    id: subscription.id,
    status: subscription.status,
    amount: subscription.amount,
    currency: subscription.currencyCode,
    interval_unit: subscription.intervalUnit,
    interval_count: subscription.intervalCount,
    next_charge_at: subscription.nextChargeAt,
    last_charge_at: subscription.lastChargeAt,
    description: subscription.description,
    created_at: subscription.createdAt,
    customer_email: subscription.customerEmail,
  }
}

/** The service's answer for a subscription, with names in Medusa's form. Amounts are decimal text. */
export function subscriptionView(subscription: Subscription) {
  const { chargeMetrics: metrics } = subscription
  return {
    ...subscriptionFields(subscription),
    start_at: subscription.startAt,
    charge_metrics: metrics && {
      charges_total: metrics.chargesTotal,
      charges_success: metrics.chargesSuccess,
      charges_failed: metrics.chargesFailed,
      total_amount: metrics.totalAmount,
      last_charge_at: metrics.lastChargeAt,
      next_charge_at: metrics.nextChargeAt,
    },
  }
}
