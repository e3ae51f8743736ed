import type { TransactionRow } from "../modules/payment-service/tables"
import { isSameMerchant, type Merchant, merchantAccountId } from "../payments/rules/transaction"
import { refusedPayment } from "../refusals/refused"
import { PaymentServiceClient, type ServiceConnection } from "../service/client"
import { registerSecret, type ServiceLogger } from "../service/redact"
import type { DigestKey } from "../values/digests"
import { Keys } from "./keys"
import type { AccountOptions, StoreOptions } from "./options"
import {
  accountOf,
  type NamedAccount,
  type ResolvedAccount,
  type ResolvedOptions,
} from "./resolve-options"

/** A merchant account with the options of every configured account for it. */
export interface ConfiguredMerchant extends Merchant {
  accounts: [AccountOptions, ...AccountOptions[]]
}

/** The account, address and merchant that a row was opened with. */
export type RowPlace = Pick<TransactionRow, "account" | "base_url" | "merchant_id">

/** One view of all accounts: a use-case takes one at its beginning, hands it to the functions it calls, and drops it. */
export class Accounts {
  /** The options that belong to the whole store, and to no account. */
  readonly store: StoreOptions
  private readonly all: readonly ResolvedAccount[]
  /** Those that take payments. */
  private readonly accounts: NamedAccount[]

  /** @param former accounts of earlier settings, only for payments that were begun with them */
  constructor(
    { store, accounts }: ResolvedOptions,
    private readonly logger?: ServiceLogger,
    readonly keys = Keys.ofEnvironment(),
    private readonly former: readonly NamedAccount[] = []
  ) {
    this.store = store
    this.all = accounts
    this.accounts = accounts.flatMap(({ id, options }) => (options ? { id, options } : []))
    const asked = [
      ...this.connections(),
      ...former.map(({ options: connection }) => ({ connection })),
    ]
    const secrets = asked.flatMap(({ connection }) => [connection.secret, connection.signingSecret])
    // Secrets are registered before any client exists, so that no error and no log shows one.
    for (const secret of [...secrets, store.callbackToken]) {
      if (secret) registerSecret(secret)
    }
  }

  /** The ids of all accounts; empty for a single account without an id of its own. */
  get ids(): string[] {
    return this.accounts.flatMap(({ id }) => id ?? [])
  }

  named(): NamedAccount[] {
    return this.accounts
  }

  /** The account of a provider, by the `id` of its entry in `medusa-config.ts`, as far as it is set up. */
  of(id: string): ResolvedAccount | undefined {
    return accountOf(this.all, id)
  }

  /** The account with which a provider takes payments. */
  find(id: string): AccountOptions | null {
    return this.of(id)?.options ?? null
  }

  /** @throws MedusaError `NOT_ALLOWED`, with a sentence for a shopper, when there is no such account or it is incomplete */
  get(id: string): AccountOptions {
    const account = this.find(id)
    if (!account) throw refusedPayment("not_set_up")
    return account
  }

  /** The public address of the store's backend; an account is complete only if it is set. */
  get backendUrl(): string {
    const { backendUrl } = this.store
    if (backendUrl === undefined) throw refusedPayment("not_set_up")
    return backendUrl
  }

  /**
   * The account for reading a row: any that now has the row's address and merchant, whatever its id is; null without one. An
   * address without an account gets no secret, and its answers are not believed.
   */
  findForRow(row: RowPlace): AccountOptions | null {
    const there = [...this.accounts, ...this.former]
      .map(({ options }) => options)
      .filter(
        ({ baseUrl, merchantId }) =>
          baseUrl === row.base_url && isSameMerchant(merchantId, row.merchant_id)
      )
    const own = this.find(row.account)
    return there.find((one) => one === own) ?? there[0] ?? null
  }

  getForRow(row: RowPlace & { id: string }): AccountOptions {
    const account = this.findForRow(row)
    if (!account) throw refusedPayment("no_account", { row: row.id })
    return account
  }

  /**
   * The account whose storefront options apply to a row's payer: the row's account; if none has its address and merchant any
   * more, the account with the same id, else the first one, if there is any. Only storefront addresses may be taken from it.
   */
  storefrontOf(row: RowPlace): AccountOptions | undefined {
    return this.findForRow(row) ?? this.find(row.account) ?? this.accounts[0]?.options
  }

  /** Each merchant account once, even if several accounts of the options share it. Those of former accounts come last. */
  merchantAccounts(): ConfiguredMerchant[] {
    const found = new Map<string, ConfiguredMerchant>()
    for (const { options } of [...this.accounts, ...this.former]) {
      const { baseUrl, merchantId } = options
      const known = found.get(merchantAccountId(options))
      if (known) known.accounts.push(options)
      else found.set(merchantAccountId(options), { baseUrl, merchantId, accounts: [options] })
    }
    return [...found.values()]
  }

  /** Whether payouts are switched on and an account has a signing secret. */
  canPayOut(): boolean {
    return this.store.payouts.enabled && this.accounts.some(({ options }) => options.signingSecret)
  }

  /** The keys for digests of card numbers; without one of the environment, the signing secret is the only one. */
  cardKeys({ signingSecret }: Pick<AccountOptions, "signingSecret">): DigestKey[] {
    return this.keys.of("card", signingSecret === undefined ? [] : [signingSecret])
  }

  /** All accounts with which the service can be asked, also those that take no payments yet. */
  connections(): { id: string | null; connection: ServiceConnection }[] {
    return this.all.flatMap(({ id, connection }) => (connection ? { id, connection } : []))
  }

  /** A client for the service. Making one is cheap, because connections are shared by the process. */
  client(connection: ServiceConnection): PaymentServiceClient {
    return new PaymentServiceClient(connection, { logger: this.logger })
  }
}
