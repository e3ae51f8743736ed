import type { Clock } from "../database/clock"
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

export const secretsOf = ({ secrets }: Pick<SettingsRow, "secrets">) =>
  secrets as Record<string, SealedSecret>

/** The accounts of the file and of the page Settings, as they are now, on any instance. */
export class StoredSettings {
  private known: { newest: string; accounts: Accounts } | null = null
  private lookedAt = -Infinity
  private looking: Promise<Accounts> | null = null

  constructor(
    readonly file: FileOptions,
    readonly list: SettingsList,
    private readonly clock: Clock,
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
    if (this.known?.newest !== newest) this.known = { newest, accounts: await this.load() }
    this.lookedAt = began
    return this.known.accounts
  }

  private async load(): Promise<Accounts> {
    const keys = Keys.ofEnvironment()
    const newest = new Map<string, SettingsRow>()
    const left = new Map<string, NamedAccount & { at: Date }>()
    for (const row of await this.list.all()) {
      for (const { id, options } of this.resolve([...newest.values()], keys).accounts) {
        if (options) left.set(merchantAccountId(options), { id, options, at: row.at })
      }
      newest.set(row.account, row)
    }
    const present = this.resolve([...newest.values()], keys)
    const former = await this.former(left, present)
    const accounts = new Accounts(present, this.logger, keys, former)
    const lost = unopened([...newest.values()], keys)
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

  /** The accounts that earlier settings led to, each with when they left it, while payments lead there that are not final. */
  private async former(left: Map<string, NamedAccount & { at: Date }>, present: ResolvedOptions) {
    for (const { options } of present.accounts) if (options) left.delete(merchantAccountId(options))
    const inFlight = await this.list.inFlightAt([...left.values()].map(({ options }) => options))
    // A creation may have begun with settings that were replaced just now, and its row come after this look.
    const since = this.clock.now().getTime() - LONGEST_CREATION_MS
    return [...left].flatMap(([id, account]) =>
      inFlight.has(id) || account.at.getTime() > since ? account : []
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

/** The secrets of a save by their options; null for one that none of the keys opens. */
const opened = (row: SettingsRow, keys: Keys) =>
  Object.entries(secretsOf(row)).map(
    ([option, { sealed }]) => [option, keys.open(placeOf(row.account, option), sealed)] as const
  )

/** The options of a save, with the secrets that can be opened. */
function storedOptions(row: SettingsRow, keys: Keys): StoredOptions {
  const secrets = opened(row, keys).filter(([, secret]) => secret !== null)
  const sentTo = Object.entries(secretsOf(row)).map(([option, { sent_to }]) => [option, sent_to])
  return {
    account: row.account,
    options: { ...row.options, ...Object.fromEntries(secrets) },
    sentTo: Object.fromEntries(sentTo) as StoredOptions["sentTo"],
  }
}

/** The secrets of these saves that none of the keys opens. */
export const unopened = (rows: readonly SettingsRow[], keys: Keys) =>
  rows.flatMap((row) =>
    opened(row, keys).flatMap(([option, secret]) =>
      secret === null ? { account: row.account, option } : []
    )
  )
