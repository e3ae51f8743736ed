import type { Clock } from "../database/clock"
import type { TransactionRow } from "../modules/payment-service/tables"
import { type Merchant, merchantAccountId, merchantAccountOf } from "../payments/rules/transaction"
import { refusedPayment } from "../refusals/refused"
import { PaymentServiceClient, type ServiceConnection } from "../service/client"
import { registerSecret, type ServiceLogger } from "../service/redact"
import type { DigestKey } from "../values/digests"
import { Keys } from "./keys"
import type { AccountOptions, StoreOptions } from "./options"
import { accountOf, resolveOptions } from "./resolve-options"
import type { FileOptions, ResolvedAccount, ResolvedOptions } from "./resolve-options"
import { newestOf, type Save, type SettingsList } from "./statements/settings"

/** An account that takes payments. Its id is null where there is one account without an id of its own. */
interface NamedAccount {
  id: string | null
  options: AccountOptions
}

export interface ConfiguredMerchant extends Merchant {
  accounts: [AccountOptions, ...AccountOptions[]]
}

export type RowMerchant = Pick<TransactionRow, "account" | "base_url" | "merchant_id">

export class Accounts {
  readonly store: StoreOptions
  private readonly all: readonly ResolvedAccount[]
  readonly named: NamedAccount[]
  /** By the `merchantAccountId`. */
  private readonly merchants = new Map<string, ConfiguredMerchant>()

  /** @param former accounts of earlier settings, only for payments that were begun with them */
  constructor(
    { store, accounts }: ResolvedOptions,
    private readonly logger?: ServiceLogger,
    readonly keys = Keys.ofEnvironment(),
    former: readonly NamedAccount[] = []
  ) {
    this.store = store
    this.all = accounts
    this.named = accounts.flatMap(({ id, options }) => (options ? { id, options } : []))
    const asked = [...accounts, ...former.map(({ options }) => ({ connection: options }))]
    const secrets = asked.flatMap(({ connection: one }) => [one?.secret, one?.signingSecret])
    // Secrets are registered before any client exists, so that no error and no log shows one.
    for (const secret of [...secrets, store.callbackToken]) if (secret) registerSecret(secret)
    for (const { options } of [...this.named, ...former]) {
      const { baseUrl, merchantId } = options
      const merchant = merchantAccountId(options)
      const known = this.merchants.get(merchant)
      if (known) known.accounts.push(options)
      else this.merchants.set(merchant, { baseUrl, merchantId, accounts: [options] })
    }
  }

  get ids(): string[] {
    return this.named.flatMap(({ id }) => id ?? [])
  }

  /** The account of a provider, by the `id` of its entry in `medusa-config.ts`, as far as it is set up. */
  of(id: string): ResolvedAccount | undefined {
    return accountOf(this.all, id)
  }

  find(id: string): AccountOptions | null {
    return this.of(id)?.options ?? null
  }

  /** @throws MedusaError `NOT_ALLOWED`, with a sentence for a shopper, when there is no such account or it is incomplete */
  get(id: string): AccountOptions {
    const account = this.find(id)
    if (!account) throw refusedPayment("not_set_up")
    return account
  }

  get backendUrl(): string {
    const { backendUrl } = this.store
    if (backendUrl === undefined) throw refusedPayment("not_set_up")
    return backendUrl
  }

  /** The account for reading a row: any with its address and merchant now. Without one, no secret is sent and no answer believed. */
  findForRow(row: RowMerchant): AccountOptions | null {
    const merchant = this.merchants.get(merchantAccountId(merchantAccountOf(row)))
    const own = this.find(row.account)
    return merchant?.accounts.find((one) => one === own) ?? merchant?.accounts[0] ?? null
  }

  getForRow(row: RowMerchant & { id: string }): AccountOptions {
    const account = this.findForRow(row)
    if (!account) throw refusedPayment("no_account", { row: row.id })
    return account
  }

  /** The account whose storefront addresses, and nothing else, count for a row's payer, even where no account reads the row any more. */
  storefrontOf(row: RowMerchant): AccountOptions | undefined {
    return this.findForRow(row) ?? this.find(row.account) ?? this.named[0]?.options
  }

  /** Each merchant account once, even if several accounts of the options share it. Those of former accounts come last. */
  merchantAccounts(): ConfiguredMerchant[] {
    return [...this.merchants.values()]
  }

  /** The number of these payments (by `merchantAccountId`) that no account leads to. */
  elsewhere(inFlight: Map<string, number>): number {
    const counts = [...inFlight].map(([merchant, count]) =>
      this.merchants.has(merchant) ? 0 : count
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  canPayOut(): boolean {
    return this.store.payouts.enabled && this.named.some(({ options }) => options.signingSecret)
  }

  /** The keys for digests of card numbers; without one of the environment, the signing secret is the only one. */
  cardKeys({ signingSecret }: Pick<AccountOptions, "signingSecret">): DigestKey[] {
    return this.keys.of("card", signingSecret === undefined ? [] : [signingSecret])
  }

  /** All accounts with which the service can be asked, also those that take no payments yet. */
  connections(): { id: string | null; connection: ServiceConnection }[] {
    return this.all.flatMap(({ id, connection }) => (connection ? { id, connection } : []))
  }

  client(connection: ServiceConnection): PaymentServiceClient {
    return new PaymentServiceClient(connection, { logger: this.logger })
  }
}

const LOOK_EVERY_MS = 1_000
/** No creation takes longer from its look at the settings to its row. */
const LONGEST_CREATION_MS = 10 * 60_000

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
    const saves = await this.list.all()
    const inFlight = await this.list.inFlight()
    // A creation may have begun with settings that were replaced just now, and its row come after this look.
    const since = this.clock.now().getTime() - LONGEST_CREATION_MS
    const former = new Map<string, NamedAccount>()
    for (const [index, { at }] of saves.entries()) {
      // The accounts that this save, and those after it, may have left.
      for (const { id, options } of this.resolve(newestOf(saves.slice(0, index)), keys).accounts) {
        if (!options) continue
        const merchant = merchantAccountId(options)
        if (inFlight.has(merchant) || at.getTime() > since) former.set(merchant, { id, options })
      }
    }
    const present = this.resolve(newestOf(saves), keys)
    for (const { options } of present.accounts)
      if (options) former.delete(merchantAccountId(options))
    const accounts = new Accounts(present, this.logger, keys, [...former.values()])
    for (const { account, option } of unopened(newestOf(saves), keys)) {
      this.logger.error(
        `Payment Service: the secret ${option}${account && ` of account ${account}`} cannot be opened with the keys of ` +
          "PAYMENT_SERVICE_ENCRYPTION_KEY. Give the store the key that it had, or type the secret anew on the page Settings. " +
          `Payments that are under way and cannot be read meanwhile: ${accounts.elsewhere(inFlight)}.`
      )
    }
    return accounts
  }

  resolve(saves: Save[], keys: Keys): ResolvedOptions {
    const withSecrets = saves.map((save) => {
      // A secret that no key opens is null, which fits no option.
      return { ...save, options: { ...save.options, ...Object.fromEntries(opened(save, keys)) } }
    })
    return resolveOptions(this.file, withSecrets)
  }
}

export const placeOf = (account: string, option: string) => `${account}/${option}`

const opened = ({ account, secrets }: Save, keys: Keys) =>
  Object.entries(secrets).map(
    ([option, { sealed }]) => [option, keys.open(placeOf(account, option), sealed)] as const
  )

export const unopened = (saves: readonly Save[], keys: Keys) =>
  saves.flatMap((save) =>
    opened(save, keys).flatMap(([option, secret]) =>
      secret === null ? { account: save.account, option } : []
    )
  )
