import { MedusaError } from "@medusajs/framework/utils"

import { merchantAccountId } from "../payments/rules/transaction"
import {
  accountOptions,
  connectionOptions,
  everyOption,
  givenStoreOptions,
  isStoreOption,
  type OptionDescription,
  OPTIONS,
  SENT_SECRETS,
  SHARED,
} from "./options"
import type { Save } from "./statements/settings"

/** Options by their names, for example `statuses.paid`. */
type Options = Record<string, unknown>

export type FileOptions = ReturnType<typeof readFileOptions>

export type ResolvedOptions = ReturnType<typeof resolveOptions>
export type ResolvedAccount = ResolvedOptions["accounts"][number]

const PACKAGE = "medusa-payment-sbp-crypto"

/** @throws MedusaError `INVALID_DATA`, whose sentence names the wrong option of `medusa-config.ts` and its right form */
export function readFileOptions(raw: unknown) {
  if (raw !== undefined && raw !== null && typeof raw !== "object") {
    throw refusal("options must be given to the plugin in medusa-config.ts")
  }
  // Core adds `database` to the options of every module.
  const { accounts: given, database: _, ...others } = (raw ?? {}) as Options
  const shared = byName(others)
  const accounts = new Map<string, Options>()
  if (given == null) {
    requireRight("", shared)
    return { shared, accounts }
  }
  for (const [id, sections] of typeof given === "object" ? Object.entries(given) : []) {
    if (!isSection(sections)) throw refusal(`accounts.${id} must hold the options of an account`)
    const misplaced = Object.keys(sections).find(isStoreOption)
    if (misplaced)
      throw refusal(`${misplaced} belongs to the whole store: give it once, beside accounts`)
    const own = byName(sections)
    requireRight(`accounts.${id}.`, { ...shared, ...own })
    accounts.set(id, own)
  }
  if (!accounts.size)
    throw refusal("accounts must hold the options of at least one account by its id")
  return { shared, accounts }
}

/** Fills what the file leaves open with what admins have set, and with defaults. */
export function resolveOptions(file: FileOptions, stored: readonly Save[] = []) {
  /** The options that admins have set, as far as they may and it still fits; secrets only for this address. */
  const setFor = (account: string, address: string | null): Options => {
    const { options = {}, secrets = {} } = stored.find((one) => one.account === account) ?? {}
    const counts = ({ name, isFileOnly, schema }: OptionDescription) =>
      name in options &&
      !isFileOnly &&
      (!SENT_SECRETS.includes(name) || secrets[name]?.sent_to === address) &&
      schema.safeParse(options[name]).success
    return Object.fromEntries(OPTIONS.filter(counts).map(({ name }) => [name, options[name]]))
  }
  const ids = new Set([
    ...file.accounts.keys(),
    ...stored.flatMap(({ account }) => (account === SHARED ? [] : account)),
    // The options of all accounts make an account, too, unless the file names them: that of every provider without one of its own.
    ...(file.accounts.size ? [] : [null]),
  ])
  const accounts = [...ids].map((id) => {
    const account = id ?? SHARED
    const fromFile = givenByFile(file, account)
    const { secret, signingSecret, ...withoutSecrets } = fromFile
    const baseUrl = addressOf(file, stored, account)
    const given: Options = {
      ...setFor(SHARED, baseUrl),
      ...setFor(account, baseUrl),
      // An admin who sets the address on the page must not learn a secret of the file by that.
      ...("baseUrl" in fromFile ? fromFile : withoutSecrets),
    }
    const merchantId = accountOptions.shape.merchantId.safeParse(given.merchantId).data
    const { data, error } = accountOptions.safeParse(bySection(given))
    const absent = OPTIONS.filter(({ name, isRequired }) => isRequired && !(name in given))
    const wrong = error?.issues.flatMap(({ path }) => optionAt(path) ?? []) ?? []
    const missing = [...new Set([...absent, ...wrong].map(({ name }) => name))]
    const options = missing.length ? null : (data ?? null)
    return {
      /** Null where there is one account without an id of its own. */
      id,
      /** Null while it takes no payments yet. */
      options,
      /** The names of the options that are missing or do not fit. */
      missing,
      /** Null while the service cannot even be asked. */
      connection: options ?? connectionOptions.safeParse(bySection(given)).data ?? null,
      /** The `merchantAccountId`; null while it is not known. */
      merchant: baseUrl && merchantId ? merchantAccountId({ baseUrl, merchantId }) : null,
    }
  })
  const ofStore = { ...setFor(SHARED, null), ...file.shared }
  return { store: givenStoreOptions.parse(bySection(ofStore)), accounts }
}

/** The options that the file gives an account, by itself or to all of them, so that nobody else may. */
export const givenByFile = ({ shared, accounts }: FileOptions, id: string): Options => {
  return { ...shared, ...accounts.get(id) }
}

/** The address to which an account's secrets would be sent, whether or not anything else is set. */
export function addressOf(
  file: FileOptions,
  stored: readonly Pick<Save, "account" | "options">[],
  account: string
): string | null {
  const storedOf = (id: string) => stored.find((one) => one.account === id)?.options
  const { baseUrl } = { ...storedOf(SHARED), ...storedOf(account), ...givenByFile(file, account) }
  return accountOptions.shape.baseUrl.safeParse(baseUrl).data ?? null
}

/** The account of a provider with this id: its own, also while it is incomplete, else the one of every other provider. */
export const accountOf = (accounts: readonly ResolvedAccount[], id: string) =>
  accounts.find((one) => one.id === id) ?? accounts.find((one) => one.id === null)

function isSection(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Options by their names, of options by sections, without what is not set. An empty text is set, and wrong. */
function byName(sections: Options): Options {
  const options = Object.entries(sections).flatMap(([key, value]): [string, unknown][] => {
    const hasParts = OPTIONS.some(({ name }) => name.startsWith(`${key}.`))
    if (!hasParts || !isSection(value)) return [[key, value]]
    return Object.entries(value).map(([part, one]) => [`${key}.${part}`, one])
  })
  return Object.fromEntries(options.filter(([, value]) => value !== undefined && value !== null))
}

function bySection(options: Options): Options {
  const sections: Options = {}
  for (const [name, value] of Object.entries(options)) {
    const [key = name, part] = name.split(".")
    const others = isSection(sections[key]) ? sections[key] : {}
    sections[key] = part === undefined ? value : { ...others, [part]: value }
  }
  return sections
}

function optionAt(path: readonly PropertyKey[]) {
  const at = path.join(".")
  return OPTIONS.find(({ name }) => at === name || at.startsWith(`${name}.`))
}

/** @throws MedusaError when a given option is wrong, or one that only the file may give is missing */
function requireRight(prefix: string, given: Options): void {
  const issues = everyOption.safeParse(bySection(given)).error?.issues ?? []
  const sentences = issues.flatMap((issue) => {
    const path = issue.path.join(".")
    const name = `${isStoreOption(issue.path[0]) ? "" : prefix}${path}`
    if (issue.code === "unrecognized_keys") {
      const where = path ? `${name}.` : prefix
      return issue.keys.map((key) => `${where}${key} is not an option of this plugin`)
    }
    const option = optionAt(issue.path)
    const at = `${option?.name ?? path}.`
    const isGiven = Object.keys(given).some((key) => `${key}.`.startsWith(at))
    return isGiven || option?.isFileOnly ? `${name} ${issue.message}` : []
  })
  if (sentences.length) throw refusal(sentences.join("; "))
}

/** @throws MedusaError when this plugin is listed twice: only the last entry's options would hold, and each event be handled twice */
export function requireListedOnce(
  plugins: readonly (string | { resolve: string } | undefined)[] = []
): void {
  const names = plugins.map((plugin) => (typeof plugin === "string" ? plugin : plugin?.resolve))
  if (names.indexOf(PACKAGE) !== names.lastIndexOf(PACKAGE)) {
    throw refusal("must be listed once in the plugins of medusa-config.ts")
  }
}

/** A refusal of options, in a sentence that begins with the option's name. */
export const refusal = (sentence: string) =>
  new MedusaError(MedusaError.Types.INVALID_DATA, `${PACKAGE}: ${sentence}`)
