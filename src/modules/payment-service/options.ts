import { MedusaError } from "@medusajs/framework/utils"

import { type AccountOptions, everyOption, storeOptions, type StoreOptions } from "./option-schema"

/** An account with its id, which is null in a flat configuration of one account. */
export interface NamedAccount {
  id: string | null
  options: AccountOptions
}

/** The plugin's checked options, with defaults. */
export interface ResolvedOptions {
  store: StoreOptions
  accounts: [NamedAccount, ...NamedAccount[]]
}

/** Checks the plugin's options and fills in defaults; a refusal names the wrong option and its right form. */
export function resolveOptions(raw: unknown): ResolvedOptions {
  if (typeof raw !== "object" || raw === null) {
    throw refusal("", "options must be given to the plugin in medusa-config.ts")
  }
  // Core adds `database` to the options of every module.
  const { accounts, database: _, ...shared } = raw as Record<string, unknown>
  if (accounts === undefined) {
    const { store, account } = parse("", shared)
    return { store, accounts: [{ id: null, options: account }] }
  }
  const given = typeof accounts === "object" ? Object.entries(accounts ?? {}) : []
  const parsed = given.map(([id, own]) => {
    const misplaced = Object.keys((own ?? {}) as object).find(isStoreOption)
    if (misplaced) {
      throw refusal(misplaced, "belongs to the whole store: give it once, beside accounts")
    }
    const { store, account } = parse(`accounts.${id}.`, { ...shared, ...(own as object) })
    return { store, account: { id, options: account } }
  })
  const [first, ...others] = parsed
  if (!first) throw refusal("accounts", "must hold the options of at least one account by its id")
  return { store: first.store, accounts: [first.account, ...others.map(({ account }) => account)] }
}

function isStoreOption(name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(storeOptions.shape, name)
}

function parse(prefix: string, raw: object): { store: StoreOptions; account: AccountOptions } {
  const parsed = everyOption.safeParse(raw)
  if (parsed.success) {
    const { backendUrl, callbackToken, watcher, creationLimits, payouts, retention, ...account } =
      parsed.data
    const store = { backendUrl, callbackToken, watcher, creationLimits, payouts, retention }
    return { store, account }
  }
  const sentences = parsed.error.issues.map((issue) => {
    const option = `${isStoreOption(issue.path[0]) ? "" : prefix}${issue.path.join(".")}`
    if (issue.code === "unrecognized_keys") {
      const where = issue.path.length ? `${option}.` : prefix
      return issue.keys.map((key) => `${where}${key} is not an option of this plugin`).join("; ")
    }
    return `${option} ${issue.message}`
  })
  throw refusal("", sentences.join("; "))
}

/** A refusal of the options, in a sentence that begins with the option's name. */
export function refusal(option: string, sentence: string): MedusaError {
  const subject = option ? `${option} ` : ""
  return new MedusaError(
    MedusaError.Types.INVALID_DATA,
    `medusa-payment-sbp-crypto: ${subject}${sentence}`
  )
}
