import { isDeepStrictEqual } from "node:util"

import { MedusaError } from "@medusajs/framework/utils"

import { type AccountOptions, everyOption, storeOptions, type StoreOptions } from "./option-schema"

/** The plugin's checked options, with defaults. */
export interface ResolvedOptions {
  store: StoreOptions
  accounts: [AccountOptions, ...AccountOptions[]]
  /** The ids of the accounts, in the same order; empty for a flat configuration. */
  ids: string[]
  /** The account with an id. A flat configuration has one account, whatever the provider's id. */
  find: (id: string) => AccountOptions | undefined
}

/**
 * Checks the plugin's options and fills in defaults.
 *
 * @throws MedusaError `INVALID_DATA` with a sentence that names the wrong option and its right form
 */
export function resolveOptions(raw: unknown): ResolvedOptions {
  if (typeof raw !== "object" || raw === null) {
    throw refusal("", "options must be given to the plugin in medusa-config.ts")
  }
  // Core adds `database` to the options of every module.
  const { accounts, database: _, ...shared } = raw as Record<string, unknown>
  if (accounts === undefined) {
    const { store, account } = parse("", shared)
    return { store, accounts: [account], ids: [], find: () => account }
  }
  if (typeof accounts !== "object" || accounts === null || !Object.keys(accounts).length) {
    throw refusal("accounts", "must hold the options of at least one account by its id")
  }
  const given = Object.entries(accounts).map(([id, own]): [string, Record<string, unknown>] => [
    id,
    { ...shared, ...(own as Record<string, unknown>) },
  ])
  // Options of the store that one account gives hold for the others, too.
  const ofStore = Object.assign(
    {},
    ...given.map(([, options]) => storeOptionsOf(options))
  ) as object
  const parsed = given.map(
    ([id, options]) =>
      [
        id,
        parse(`accounts.${id}.`, { ...options, ...ofStore, ...storeOptionsOf(options) }),
      ] as const
  )
  const byId = new Map(parsed.map(([id, { account }]) => [id, account]))
  return {
    store: requireEqual(parsed.map(([, { store }]) => store)),
    accounts: [...byId.values()] as [AccountOptions, ...AccountOptions[]],
    ids: [...byId.keys()],
    find: (id) => byId.get(id),
  }
}

/** The store's options among those that are given. */
function storeOptionsOf(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => isStoreOption(name) && value !== undefined)
  )
}

function isStoreOption(name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(storeOptions.shape, name)
}

/** @throws MedusaError `INVALID_DATA` when accounts give different options to the store */
function requireEqual(stores: StoreOptions[]): StoreOptions {
  const [first = {} as StoreOptions] = stores
  for (const name of Object.keys(first) as (keyof StoreOptions)[]) {
    if (stores.some((other) => !isDeepStrictEqual(other[name], first[name]))) {
      throw refusal(
        name,
        "belongs to the whole store, and accounts must not differ in it: give it once, beside accounts"
      )
    }
  }
  return first
}

function parse(prefix: string, raw: object): { store: StoreOptions; account: AccountOptions } {
  const parsed = everyOption.safeParse(raw)
  if (parsed.success) {
    const { backendUrl, callbackToken, watcher, creationLimits, payouts, ...account } = parsed.data
    return { store: { backendUrl, callbackToken, watcher, creationLimits, payouts }, account }
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
