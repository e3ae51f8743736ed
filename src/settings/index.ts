/**
 * How the plugin is configured. `options.ts` describes and checks the options of `medusa-config.ts` when the store starts. `Accounts`
 * (`accounts.ts`) is one consistent view of all of them: a use-case takes one at its beginning (`module.accounts()`), hands it on, and
 * keeps nothing of it. It finds the account of a row or a provider, and makes the client that talks to the service. `keys.ts` derives
 * the keys of digests (payers, addresses, cards) from `PAYMENT_SERVICE_ENCRYPTION_KEY`, outside the database.
 */

export { type ConfiguredMerchantAccount, warningsOf } from "./accounts"
export { checkConnection } from "./check-connection"
export { plainAddress } from "./keys"
export type { AccountOptions } from "./options"
