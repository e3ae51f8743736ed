import { MedusaError } from "@medusajs/framework/utils"

import { PaymentServiceClient } from "../../service/client"
import { registerSecret, type ServiceLogger } from "../../service/redact"
import { type MerchantAccount, merchantAccountId } from "../../settlement/merchant-account"
import {
  type AccountOptions,
  refusal,
  type ResolvedOptions,
  resolveOptions,
  type StoreOptions,
} from "./options"
import type { TransactionRow } from "./tables"

/** A merchant at an address of the service, with the options of every account that has both. */
export interface ConfiguredMerchantAccount extends MerchantAccount {
  accounts: [AccountOptions, ...AccountOptions[]]
}

export interface NamedAccount {
  id: string | null
  options: AccountOptions
}

/**
 * One view of all accounts, which stays as it is when the configuration changes. A use-case takes one at its
 * beginning (`accounts` of the module's service), hands it to what it calls, and keeps it no longer, so that
 * nobody reads with one account's secret and judges by the status names of another version.
 */
export class Accounts {
  /** The options that belong to the whole store, and to no account. */
  readonly store: StoreOptions

  /** @param version another one whenever the configuration is another one */
  constructor(
    readonly version: number,
    private readonly options: ResolvedOptions,
    private readonly logger?: ServiceLogger
  ) {
    this.store = options.store
    const { callbackToken } = options.store
    const secrets = options.accounts.flatMap((account) => [account.secret, account.signingSecret])
    // No client can be had before, so that no error and no log shows a secret.
    for (const secret of [...secrets, callbackToken]) {
      if (secret) registerSecret(secret)
    }
  }

  /** The ids of all accounts; none where there is one account without an id of its own. */
  get ids(): string[] {
    return this.options.ids
  }

  /** The account of a provider, by the `id` of its entry in `medusa-config.ts`. */
  find(id: string): AccountOptions | null {
    return this.options.find(id) ?? null
  }

  /**
   * Like `find`.
   *
   * @throws MedusaError `INVALID_DATA` when there is no such account
   */
  get(id: string): AccountOptions {
    const account = this.find(id)
    if (!account) {
      throw refusal(
        `accounts.${id}`,
        "is missing: the payment provider has this id, the plugin's options have no such account"
      )
    }
    return account
  }

  /**
   * The account by which a row is read: one that has the row's address and merchant now, whatever its id is.
   * An address without an account is not sent a secret, and its answers are not believed.
   *
   * @returns null when no account has the row's address and merchant any more
   */
  findForRow(
    row: Pick<TransactionRow, "account" | "base_url" | "merchant_id">
  ): AccountOptions | null {
    const leadsThere = ({ baseUrl, merchantId }: AccountOptions) =>
      baseUrl === row.base_url && merchantId.toLowerCase() === row.merchant_id.toLowerCase()
    const own = this.find(row.account)
    return own && leadsThere(own) ? own : (this.options.accounts.find(leadsThere) ?? null)
  }

  /**
   * Like `findForRow`.
   *
   * @throws MedusaError `NOT_ALLOWED` when no account has the row's address and merchant any more
   */
  getForRow(
    row: Pick<TransactionRow, "id" | "account" | "base_url" | "merchant_id">
  ): AccountOptions {
    const account = this.findForRow(row)
    if (!account) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        `Transaction ${row.id} was created for a merchant, or at an address, that is no longer configured`
      )
    }
    return account
  }

  /**
   * The account whose storefront a row's payer is led back to. Where no account has the row's address and merchant any
   * more, it is the one that has its id now, or else the first: nothing is read there, and nothing is believed.
   */
  storefrontOf(row: Pick<TransactionRow, "account" | "base_url" | "merchant_id">): AccountOptions {
    return this.findForRow(row) ?? this.find(row.account) ?? this.options.accounts[0]
  }

  /** Every merchant at every address once, however many accounts share them. */
  merchantAccounts(): ConfiguredMerchantAccount[] {
    const found = new Map<string, ConfiguredMerchantAccount>()
    for (const account of this.options.accounts) {
      const { baseUrl, merchantId } = account
      const known = found.get(merchantAccountId(account))
      if (known) {
        known.accounts.push(account)
      } else {
        found.set(merchantAccountId(account), { baseUrl, merchantId, accounts: [account] })
      }
    }
    return [...found.values()]
  }

  /** Every account with its id, which is null in a configuration of one account. */
  named(): NamedAccount[] {
    return this.options.accounts.map((options, index) => ({
      id: this.options.ids[index] ?? null,
      options,
    }))
  }

  /** A client for the service. It is cheap to make: connections are shared by the process. */
  client(account: AccountOptions): PaymentServiceClient {
    return new PaymentServiceClient(account, { logger: this.logger })
  }

  /** A client for the export of a merchant; its file may be at any host that one of the accounts names. */
  clientAt({ accounts }: ConfiguredMerchantAccount): PaymentServiceClient {
    const linkHosts = accounts.flatMap((account) => account.export.linkHosts)
    return this.client({ ...accounts[0], export: { ...accounts[0].export, linkHosts } })
  }
}

/**
 * Tells the accounts as they are when it is asked. Whoever asks waits for the answer, because the configuration
 * need not be at hand, as the file is now.
 *
 * @param read reads the plugin's options, which are checked anew only when they are others than before
 */
export function accountsOf(read: () => unknown, logger: ServiceLogger): () => Promise<Accounts> {
  let last: { text: string; accounts: Accounts } | undefined
  return async () => {
    const raw = read()
    // `database` is core's, and holds more than text.
    const text = JSON.stringify({ ...(raw as object), database: undefined })
    if (last?.text !== text) {
      const version = (last?.accounts.version ?? 0) + 1
      last = { text, accounts: new Accounts(version, resolveOptions(raw), logger) }
    }
    return last.accounts
  }
}
