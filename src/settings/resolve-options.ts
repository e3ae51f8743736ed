import { MedusaError } from "@medusajs/framework/utils"

import type { Merchant } from "../payments/rules/transaction"
import type { ServiceConnection } from "../service/client"
import { OPTIONS } from "./describe-options"
import {
  type AccountOptions,
  accountOptions,
  connectionOptions,
  everyOption,
  storeOptions,
  type StoreOptions,
} from "./options"

/** An account with its id, which is null where there is one account without an id of its own. */
export interface NamedAccount {
  id: string | null
  options: AccountOptions
}

/** An account as far as its options are given. */
export interface ResolvedAccount {
  id: string | null
  /** Null while it takes no payments yet. */
  options: AccountOptions | null
  /** The names of the options that are missing or do not fit. */
  missing: string[]
  /** Null while the service cannot even be asked. */
  connection: ServiceConnection | null
  /** Null without an address and an id of the merchant. */
  merchant: Merchant | null
}

/** The plugin's checked options, with defaults. */
export interface ResolvedOptions {
  store: StoreOptions
  accounts: ResolvedAccount[]
}

/** Secrets that are sent to the service. */
export const SENT_SECRETS = ["secret", "signingSecret"]

/** Options by their names, for example `statuses.paid`. */
type Options = Record<string, unknown>

/** The options of `medusa-config.ts`, checked as far as they are given. */
export interface FileOptions {
  shared: Options
  /** Null where the file names no accounts. */
  accounts: Record<string, Options> | null
}

interface Stored {
  account: string
  options: Options
}

/** The options that admins have set for one account, or with the id "" for all of them and the store. */
export interface StoredOptions extends Stored {
  /** The address for which each of the secrets was typed: it is sent nowhere else. */
  sentTo: Record<string, string | null>
}

const PACKAGE = "medusa-payment-sbp-crypto"

/** The id under which the settings of all accounts together, and of the store, are kept. */
export const SHARED = ""

/**
 * Checks what the file gives. What it leaves out may be set on the page Settings.
 *
 * @throws MedusaError `INVALID_DATA`, whose sentence names the wrong option and its right form
 */
export function readFileOptions(raw: unknown): FileOptions {
  if (raw !== undefined && raw !== null && typeof raw !== "object") {
    throw refusal("", "options must be given to the plugin in medusa-config.ts")
  }
  // Core adds `database` to the options of every module.
  const { accounts, database: _, ...others } = (raw ?? {}) as Options
  const shared = byName(others)
  if (accounts == null) {
    requireRight("", shared)
    return { shared, accounts: null }
  }
  const given = typeof accounts === "object" ? Object.entries(accounts as Options) : []
  if (!given.length)
    throw refusal("accounts", "must hold the options of at least one account by its id")
  const read = given.map(([id, own]): [string, Options] => {
    if (!isSection(own)) throw refusal(`accounts.${id}`, "must hold the options of an account")
    const misplaced = Object.keys(own).find(isStoreOption)
    if (misplaced) {
      throw refusal(misplaced, "belongs to the whole store: give it once, beside accounts")
    }
    requireRight(`accounts.${id}.`, { ...shared, ...byName(own) })
    return [id, byName(own)]
  })
  return { shared, accounts: Object.fromEntries(read) }
}

/** Fills what the file leaves open with what admins have set, and with defaults. Stored values that do not fit any more are left out. */
export function resolveOptions(
  file: FileOptions,
  stored: readonly StoredOptions[] = []
): ResolvedOptions {
  const storedOf = (account: string) => stored.find((one) => one.account === account)
  const ids = new Set([
    ...Object.keys(file.accounts ?? {}),
    ...stored.flatMap(({ account }) => (account === SHARED ? [] : account)),
    // The options of all accounts make an account, too, unless the file names them: that of every provider without one of its own.
    ...(file.accounts ? [] : [null]),
  ])
  const ofStore = { ...fitting(storedOf(SHARED)?.options), ...file.shared }
  const accounts = [...ids].map((id): ResolvedAccount => {
    const fromFile = givenByFile(file, id ?? SHARED)
    const levels = [SHARED, id ?? SHARED].map(storedOf)
    const baseUrl = addressIn(fromFile, levels)
    const given = together([
      ...levels.map((level) => level && fitting(optionsFor(baseUrl, level))),
      // An admin who sets the address on the page must not learn a secret of the file by that.
      "baseUrl" in fromFile ? fromFile : without(SENT_SECRETS, fromFile),
    ])
    const merchantId = accountOptions.shape.merchantId.safeParse(given.merchantId).data
    const { data, error } = accountOptions.safeParse(bySection(given))
    const absent = OPTIONS.flatMap(({ name, isRequired }) =>
      isRequired && !(name in given) ? name : []
    )
    const wrong = error?.issues.flatMap(({ path }) => optionAt(path)?.name ?? []) ?? []
    const missing = [...new Set([...absent, ...wrong])]
    const options = missing.length ? null : (data ?? null)
    return {
      id,
      options,
      missing,
      connection: options ?? connectionOptions.safeParse(bySection(given)).data ?? null,
      merchant: baseUrl !== null && merchantId !== undefined ? { baseUrl, merchantId } : null,
    }
  })
  const store = storeOptions.partial({ backendUrl: true }).parse(bySection(ofStore))
  return { store, accounts }
}

/** The options that the file gives an account, by itself or to all of them, so that nobody else may. */
export const givenByFile = ({ shared, accounts }: FileOptions, id: string): Options => ({
  ...shared,
  ...(accounts && Object.hasOwn(accounts, id) ? accounts[id] : {}),
})

/** The address of the service for an account, by what the file gives and what is stored for all accounts and for it. */
function addressIn(fromFile: Options, levels: (Stored | undefined)[]): string | null {
  const { baseUrl } = together([...levels.map((level) => level?.options), fromFile])
  return accountOptions.shape.baseUrl.safeParse(baseUrl).data ?? null
}

/** The address to which an account's secrets would be sent. */
export function addressOf(
  file: FileOptions,
  stored: readonly Stored[],
  account: string
): string | null {
  const levels = [SHARED, account].map((id) => stored.find((one) => one.account === id))
  return addressIn(givenByFile(file, account), levels)
}

/** Stored options without the secrets that were typed for another address. */
function optionsFor(address: string | null, { options, sentTo }: StoredOptions): Options {
  const others = SENT_SECRETS.filter((name) => sentTo[name] !== address)
  return without(others, options)
}

/** Stored options that an admin may set, with values that still fit. */
const fitting = (stored: Options = {}): Options =>
  Object.fromEntries(
    OPTIONS.flatMap(({ name, isFileOnly, schema }) =>
      name in stored && !isFileOnly && schema.safeParse(stored[name]).success
        ? [[name, stored[name]]]
        : []
    )
  )

/** All of these options; of the same name, the last one. */
const together = (options: (Options | undefined)[]) => Object.assign({}, ...options) as Options

const without = (names: string[], options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))

/** The account of a provider with this id: its own, also while it is incomplete, else the one of every other provider. */
export const accountOf = (
  accounts: readonly ResolvedAccount[],
  id: string
): ResolvedAccount | undefined =>
  accounts.find((one) => one.id === id) ?? accounts.find((one) => one.id === null)

function isSection(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Options by their names, of options by sections, without what is not set. An empty text is set, and wrong. */
function byName(sections: Options, prefix = ""): Options {
  const options = Object.entries(sections).map(([key, value]) => {
    const name = `${prefix}${key}`
    if (value === undefined || value === null) return {}
    const hasParts = OPTIONS.some((option) => option.name.startsWith(`${name}.`))
    return hasParts && isSection(value) ? byName(value, `${name}.`) : { [name]: value }
  })
  return together(options)
}

/** Options by sections, of options by their names. */
function bySection(options: Options): Options {
  const sections: Options = {}
  for (const [name, value] of Object.entries(options)) {
    const keys = name.split(".")
    const last = keys.pop() ?? name
    let section = sections
    for (const key of keys) {
      if (!isSection(section[key])) section[key] = {}
      section = section[key] as Options
    }
    section[last] = value
  }
  return sections
}

/** The option that an issue's path leads to, or into. */
function optionAt(path: readonly PropertyKey[]) {
  const at = path.join(".")
  return OPTIONS.find(({ name }) => at === name || at.startsWith(`${name}.`))
}

const isStoreOption = (name: PropertyKey | undefined) =>
  name !== undefined && Object.hasOwn(storeOptions.shape, name)

/** @throws MedusaError when a given option is wrong, or one that only the file may give is missing */
function requireRight(prefix: string, given: Options): void {
  const wrong = everyOption.safeParse(bySection(given)).error?.issues.filter(({ code, path }) => {
    const option = optionAt(path)
    const isGiven = path.join(".") in given || (option && option.name in given)
    return code === "unrecognized_keys" || isGiven || option?.isFileOnly
  })
  if (!wrong?.length) return
  const sentences = wrong.map((issue) => {
    const option = `${isStoreOption(issue.path[0]) ? "" : prefix}${issue.path.join(".")}`
    if (issue.code === "unrecognized_keys") {
      const where = issue.path.length ? `${option}.` : prefix
      return issue.keys.map((key) => `${where}${key} is not an option of this plugin`).join("; ")
    }
    return `${option} ${issue.message}`
  })
  throw refusal("", sentences.join("; "))
}

/**
 * @param plugins as `medusa-config.ts` lists them
 * @throws MedusaError when this plugin is there twice: only the last entry's options would hold, and each event be handled twice
 */
export function requireListedOnce(
  plugins: readonly (string | { resolve: string } | undefined)[] = []
): void {
  const named = plugins.filter(
    (plugin) => (typeof plugin === "string" ? plugin : plugin?.resolve) === PACKAGE
  )
  if (named.length > 1) throw refusal("", "must be listed once in the plugins of medusa-config.ts")
}

/** A refusal of the options, in a sentence that begins with the option's name. */
export function refusal(option: string, sentence: string): MedusaError {
  const subject = option ? `${option} ` : ""
  return new MedusaError(MedusaError.Types.INVALID_DATA, `${PACKAGE}: ${subject}${sentence}`)
}
