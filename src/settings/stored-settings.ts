import { isDeepStrictEqual } from "node:util"

import type { SettingsRow } from "../modules/payment-service/tables"
import { merchantAccountId } from "../payments/rules/transaction"
import type { ServiceLogger } from "../service/redact"
import { Accounts } from "./accounts"
import { Keys } from "./keys"
import {
  type FileOptions,
  type NamedAccount,
  type ResolvedOptions,
  resolveOptions,
  type StoredOptions,
} from "./resolve-options"
import type { SealedSecret, SettingsList } from "./statements/settings"

/** A process looks so often whether there are newer settings, and only while something is asked. */
const LOOK_EVERY_MS = 1_000

/** No creation takes longer from its look at the settings to its row. */
const LONGEST_CREATION_MS = 10 * 60_000

/** The place for which an account's secret is sealed. */
export const placeOf = (account: string, option: string) => `${account}/${option}`

/** The newest save of each account. */
export function newestOf(rows: readonly SettingsRow[]): SettingsRow[] {
  return [...new Map(rows.map((row) => [row.account, row])).values()]
}

export const secretsOf = ({ secrets }: SettingsRow) => secrets as Record<string, SealedSecret>

/** The accounts of the file and of the page Settings, as they are now, on any instance. */
export class StoredSettings {
  private known: { newest: string; accounts: Accounts } | null = null
  private lookedAt = -Infinity
  private looking: Promise<Accounts> | null = null

  constructor(
    readonly file: FileOptions,
    readonly list: SettingsList,
    private readonly logger: ServiceLogger
  ) {}

  /** One view of all accounts, at most a second old. While the database does not answer, the last one holds. */
  async accounts(): Promise<Accounts> {
    const { known } = this
    if (known && performance.now() - this.lookedAt < LOOK_EVERY_MS) return known.accounts
    this.looking ??= this.look().finally(() => {
      this.looking = null
    })
    return await (known ? this.looking.catch(() => known.accounts) : this.looking)
  }

  /** Makes the next question look at once: this process has changed something. */
  forget(): void {
    this.lookedAt = -Infinity
  }

  private async look(): Promise<Accounts> {
    const began = performance.now()
    const newest = await this.list.newest()
    if (this.known?.newest !== newest) {
      this.known = { newest, accounts: await this.load(newest ? await this.list.all() : []) }
    }
    this.lookedAt = began
    return this.known.accounts
  }

  private async load(rows: SettingsRow[]): Promise<Accounts> {
    const keys = Keys.ofEnvironment()
    const present = this.resolve(newestOf(rows), keys)
    const lost = unopened(newestOf(rows), keys)
    const former = await this.former(rows, present, keys)
    const accounts = new Accounts(present, this.logger, keys, former)
    const places = accounts.merchantAccounts()
    const waiting = lost.length ? await this.list.inFlightElsewhere(places) : 0
    for (const { account, option } of lost) {
      this.logger.error(
        `Payment Service: the secret ${option}${account && ` of account ${account}`} cannot be opened with the keys of ` +
          "PAYMENT_SERVICE_ENCRYPTION_KEY. Give the store the key that it had, or type the secret anew on the page Settings. " +
          `Payments that are under way and cannot be read meanwhile: ${waiting}.`
      )
    }
    return accounts
  }

  /** The accounts to which payments lead that are not final, and to which the settings led earlier. */
  private async former(rows: SettingsRow[], present: ResolvedOptions, keys: Keys) {
    const current = new Set(present.accounts.map(({ options }) => merchantAccountId(options)))
    const earlier = new Map<string, NamedAccount & { left: Date }>()
    const before = new Map<string, SettingsRow>()
    for (const row of rows) {
      const isElsewhere = leadsElsewhere(row, before.get(row.account))
      const left = isElsewhere ? this.resolve([...before.values()], keys).accounts : []
      for (const account of left) {
        const id = merchantAccountId(account.options)
        if (!current.has(id)) earlier.set(id, { ...account, left: row.at })
      }
      before.set(row.account, row)
    }
    const inFlight = await this.list.inFlightAt([...earlier.values()].map(({ options }) => options))
    // A creation may have begun with settings that were replaced just now, and its row come after this look.
    const since = Date.now() - LONGEST_CREATION_MS
    return [...earlier].flatMap(([id, account]) =>
      inFlight.has(id) || account.left.getTime() > since ? account : []
    )
  }

  /** The options with these saves instead of those that are stored. */
  resolve(rows: readonly SettingsRow[], keys: Keys): ResolvedOptions {
    return resolveOptions(
      this.file,
      rows.map((row) => storedOptions(row, keys))
    )
  }
}

/** Whether a save asks the service at another address, or as somebody else, than the one before it. */
function leadsElsewhere(row: SettingsRow, before: SettingsRow | undefined): boolean {
  const asked = (of: SettingsRow | undefined) => [
    ...[of?.options.baseUrl, of?.options.merchantId],
    of && secretsOf(of).secret?.at,
  ]
  return !isDeepStrictEqual(asked(row), asked(before))
}

/** The options of a save, with the secrets that can be opened. */
function storedOptions(row: SettingsRow, keys: Keys): StoredOptions {
  const kept = Object.entries(secretsOf(row))
  const opened = kept.flatMap(([option, { sealed }]) => {
    const secret = keys.open(placeOf(row.account, option), sealed)
    return secret === null ? [] : [[option, secret]]
  })
  const secrets = Object.fromEntries(opened) as Record<string, string>
  const sentTo = Object.fromEntries(kept.map(([option, { sent_to }]) => [option, sent_to]))
  return { account: row.account, options: { ...row.options, ...secrets }, sentTo }
}

/** The secrets of these saves that none of the keys opens. */
export function unopened(rows: readonly SettingsRow[], keys: Keys) {
  return rows.flatMap((row) =>
    Object.entries(secretsOf(row))
      .filter(([option, { sealed }]) => keys.open(placeOf(row.account, option), sealed) === null)
      .map(([option]) => ({ account: row.account, option }))
  )
}
