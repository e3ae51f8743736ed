/**
 * How the plugin is configured. `options.ts` is the one description of all options. `medusa-config.ts` gives some of them, checked when
 * the store starts; admins set the others on the page Settings. What the file sets wins, option by option (`resolve-options.ts`). Each
 * save is a row of a list that is only added to: the newest row of an account counts, and the list is the history, too. Secrets are
 * sealed with `PAYMENT_SERVICE_ENCRYPTION_KEY` (`keys.ts`, which also derives the keys of digests) and never leave the store. `Accounts`
 * is one view of all accounts: a use-case takes one at its beginning (`module.accounts()`), hands it on, and keeps nothing of it. An
 * account that earlier settings led to stays in that view, for its payments only, until they are final.
 */

export type { ConfiguredMerchant } from "./accounts"
export { checkAccount } from "./check-connection"
export { plainAddress } from "./keys"
export type { AccountOptions } from "./options"
export { saveSettings, SettingsBody, settingsView } from "./settings-page"
export { IN_MEMORY, storeFacts, warningsOf } from "./warnings"
