import { MedusaError } from "@medusajs/framework/utils"

import type { MerchantAccount } from "../payments/rules/transaction"
import type { ServiceConnection } from "../service/call"
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

/** An account that takes no payments yet, with the names of the options that are missing or do not fit. */
export interface IncompleteAccount {
  id: string | null
  options: string[]
  /** Null while the service cannot even be asked. */
  connection: ServiceConnection | null
}

/** The plugin's checked options, with defaults. */
export interface ResolvedOptions {
  store: StoreOptions
  accounts: NamedAccount[]
  incomplete: IncompleteAccount[]
  /** The merchant account of each account, also before that is complete. */
  places: { id: string | null; merchant: MerchantAccount }[]
}

/** Secrets that are sent to the service. */
export const SENT_SECRETS = ["secret", "signingSecret"]

/** Options as they are written in the file, by sections. */
type Nested = Record<string, unknown>

/** The options of `medusa-config.ts`, checked as far as they are given. */
export interface FileOptions {
  shared: Nested
  /** Null where the file names no accounts. */
  accounts: Record<string, Nested> | null
}

interface Stored {
  account: string
  options: Record<string, unknown>
}

/** The options that admins have set for one account, or with the id "" for all of them and the store, by the options' names. */
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
  const { accounts, database: _, ...shared } = withoutUnset(raw ?? {}) as Nested
  if (accounts === undefined) {
    requireRight("", shared)
    return { shared, accounts: null }
  }
  const given = typeof accounts === "object" ? Object.entries(accounts as Nested) : []
  if (!given.length)
    throw refusal("accounts", "must hold the options of at least one account by its id")
  for (const [id, own] of given) {
    if (!isNested(own)) throw refusal(`accounts.${id}`, "must hold the options of an account")
    const misplaced = Object.keys(own).find(isStoreOption)
    if (misplaced) {
      throw refusal(misplaced, "belongs to the whole store: give it once, beside accounts")
    }
    requireRight(`accounts.${id}.`, overlaid(shared, own))
  }
  return { shared, accounts: Object.fromEntries(given) as Record<string, Nested> }
}

/** Fills what the file leaves open with what admins have set, and with defaults. Stored values that do not fit any more are left out. */
export function resolveOptions(
  file: FileOptions,
  stored: readonly StoredOptions[] = []
): ResolvedOptions {
  const storedOf = (account: string) => stored.find((one) => one.account === account)
  const ids = [
    ...Object.keys(file.accounts ?? {}),
    ...stored.flatMap(({ account }) =>
      Object.hasOwn(file.accounts ?? {}, account) || account === SHARED ? [] : account
    ),
    // The options of all accounts make an account, too, unless the file names them: that of every provider without one of its own.
    ...(file.accounts ? [] : [null]),
  ]
  const shared = filled(file.shared, storedOf(SHARED)?.options)
  const store: StoreOptions = storeOptions
    .partial({ backendUrl: true })
    .parse(Object.fromEntries(Object.entries(shared).filter(([name]) => isStoreOption(name))))
  const resolved: ResolvedOptions = { store, accounts: [], incomplete: [], places: [] }
  for (const id of ids) {
    const given = givenTo(file, id ?? SHARED)
    const levels = [storedOf(id ?? SHARED), storedOf(SHARED)]
    const address = addressIn(given, levels)
    const own = levels.reduce(
      (options, level) => filled(options, level && optionsFor(address, level)),
      // An admin who sets the address on the page must not learn a secret of the file by that.
      isUnset(given.baseUrl) ? without(SENT_SECRETS, given) : given
    )
    const merchantId = accountOptions.shape.merchantId.safeParse(own.merchantId).data
    if (address !== null && merchantId !== undefined) {
      resolved.places.push({ id, merchant: { baseUrl: address, merchantId } })
    }
    const parsed = accountOptions.safeParse(
      Object.fromEntries(Object.entries(own).filter(([name]) => !isStoreOption(name)))
    )
    const missing = OPTIONS.filter(
      ({ name, isRequired }) => isRequired && isUnset(valueAt({ ...shared, ...own }, name))
    )
    if (parsed.success && !missing.length) resolved.accounts.push({ id, options: parsed.data })
    else {
      const wrong = parsed.error?.issues.flatMap(({ path }) => optionAt(path)?.name ?? []) ?? []
      const options = [...new Set([...missing.map(({ name }) => name), ...wrong])]
      const connection = connectionOptions.safeParse(own).data ?? null
      resolved.incomplete.push({ id, options, connection })
    }
  }
  return resolved
}

/** The file's options for an account: its own, and those that all accounts share. */
const givenTo = ({ shared, accounts }: FileOptions, id: string): Nested =>
  overlaid(shared, (accounts && Object.hasOwn(accounts, id) && accounts[id]) || {})

/** A copy of what all accounts share, in which an account's own options replace it, option by option. */
function overlaid(shared: Nested, own: Nested): Nested {
  const options = { ...shared }
  for (const [name, value] of Object.entries(own)) {
    const before = options[name]
    const isSection = OPTIONS.some((option) => option.name.startsWith(`${name}.`))
    options[name] =
      isSection && isNested(before) && isNested(value) ? { ...before, ...value } : value
  }
  return options
}

/** The address of the service for an account, by what the file gives and what is stored for it and for all accounts. */
function addressIn(given: Nested, levels: (Stored | undefined)[]): string | null {
  const values = [given.baseUrl, ...levels.map((level) => level?.options.baseUrl)]
  const first = values.find((value) => !isUnset(value))
  return accountOptions.shape.baseUrl.safeParse(first).data ?? null
}

/** The address to which an account's secrets would be sent. */
export function addressOf(
  file: FileOptions,
  stored: readonly Stored[],
  account: string
): string | null {
  const levels = [account, SHARED].map((id) => stored.find((one) => one.account === id))
  return addressIn(givenTo(file, account), levels)
}

/** Stored options without the secrets that were typed for another address. */
function optionsFor(address: string | null, { options, sentTo }: StoredOptions) {
  const others = SENT_SECRETS.filter((name) => sentTo[name] !== address)
  return without(others, options)
}

const without = (names: string[], options: Nested): Nested =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))

/** The account of a provider with this id: its own, else the one of every other provider. */
export const accountOf = <One extends { id: string | null }>(
  accounts: readonly One[],
  id: string
): One | undefined =>
  accounts.find((one) => one.id === id) ?? accounts.find((one) => one.id === null)

/** The options with which a provider takes payments. Incomplete options of its own are not replaced by those of other providers. */
export function completeOptionsOf(
  { accounts, incomplete }: Pick<ResolvedOptions, "accounts" | "incomplete">,
  id: string
): AccountOptions | null {
  const account = accountOf([...accounts, ...incomplete], id)
  return account && !("connection" in account) ? account.options : null
}

/** The value that the file gives an option, for this account or for all of them, so that nobody else may; else undefined. */
export const valueInFile = (file: FileOptions, account: string, name: string): unknown =>
  valueAt(givenTo(file, account), name)

/** The value of an option in options by sections; undefined when it is not set. */
function valueAt(options: object, name: string): unknown {
  return name
    .split(".")
    .reduce<unknown>((part, key) => (part as Nested | null | undefined)?.[key], options)
}

/** An empty text is given, and wrong. */
const isUnset = (value: unknown) => value === undefined || value === null

function isNested(value: unknown): value is Nested {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A copy without what is not set. */
function withoutUnset(value: unknown): unknown {
  if (!isNested(value)) return value
  const given = Object.entries(value).filter(([, part]) => !isUnset(part))
  return Object.fromEntries(given.map(([name, part]) => [name, withoutUnset(part)]))
}

/** A copy of options by sections, in which stored values fill what is not set. */
function filled(given: Nested, stored: Record<string, unknown> = {}): Nested {
  const copy = structuredClone(given)
  for (const { name, schema } of OPTIONS) {
    const value = stored[name]
    if (isUnset(value) || !isUnset(valueAt(copy, name)) || !schema.safeParse(value).success)
      continue
    const keys = name.split(".")
    const last = keys.pop() ?? name
    let section = copy
    for (const key of keys) section = (section[key] ??= {}) as Nested
    section[last] = value
  }
  return copy
}

/** The option that an issue's path leads to, or into. */
function optionAt(path: readonly PropertyKey[]) {
  const at = path.join(".")
  return OPTIONS.find(({ name }) => at === name || at.startsWith(`${name}.`))
}

function isStoreOption(name: PropertyKey | undefined): boolean {
  return typeof name === "string" && Object.hasOwn(storeOptions.shape, name)
}

/** @throws MedusaError when a given option is wrong, or one that only the file may give is missing */
function requireRight(prefix: string, raw: Nested): void {
  const wrong = everyOption.safeParse(raw).error?.issues.filter(({ code, path }) => {
    const isGiven = !isUnset(valueAt(raw, path.join(".")))
    return code === "unrecognized_keys" || isGiven || optionAt(path)?.isFileOnly
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
