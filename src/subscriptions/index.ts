/**
 * Recurring payments, which the service makes and this plugin only shows. With the option `subscriptions.callbacks`, ids in callbacks
 * that are no transactions of ours may be subscriptions: they are rows that the queue looks up (`lookUpDue`), one a second in the whole
 * store, those of known subscriptions first, and an event tells what was found.
 */

export {
  findListed,
  labelsOf,
  listedSubscriptionView,
  listSubscriptions,
  subscriptionView,
} from "./subscriptions"
