import { PaymentServiceClient } from "../../service/client"
import { registerSecret, type ServiceLogger } from "../../service/redact"
import {
  isSameMerchant,
  type MerchantAccount,
  merchantAccountId,
} from "../../settlement/merchant-account"
import type { AccountOptions, StoreOptions } from "./option-schema"
import { refusal, type ResolvedOptions } from "./options"
import { refusedPayment } from "./refused-deed"
import type { TransactionRow } from "./tables"

/** A merchant account with the options of every configured account for it. */
export interface ConfiguredMerchantAccount extends MerchantAccount {
  accounts: [AccountOptions, ...AccountOptions[]]
}

export interface NamedAccount {
  id: string | null
  options: AccountOptions
}

/** The account, address and merchant that a row was opened with. */
export type RowPlace = Pick<TransactionRow, "account" | "base_url" | "merchant_id">

/**
 * One view of all accounts. A use-case takes one at its beginning (`accounts` of the module's service), hands it to the functions
 * it calls, and drops it at its end.
 */
export class Accounts {
  /** The options that belong to the whole store, and to no account. */
  readonly store: StoreOptions

  constructor(
    private readonly options: ResolvedOptions,
    private readonly logger?: ServiceLogger
  ) {
    this.store = options.store
    const { callbackToken } = options.store
    const secrets = options.accounts.flatMap((account) => [account.secret, account.signingSecret])
    // Secrets are registered before any client exists, so that no error and no log shows one.
    for (const secret of [...secrets, callbackToken]) {
      if (secret) registerSecret(secret)
    }
  }

  /** The ids of all accounts; empty for a single account without an id of its own. */
  get ids(): string[] {
    return this.options.ids
  }

  /** The account of a provider, by the `id` of its entry in `medusa-config.ts`. */
  find(id: string): AccountOptions | null {
    return this.options.find(id) ?? null
  }

  /** @throws MedusaError `INVALID_DATA` when there is no such account */
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
   * The account for reading a row: any that now has the row's address and merchant, whatever its id is. An address without an
   * account gets no secret, and its answers are not believed.
   *
   * @returns null when no account has the row's address and merchant any more
   */
  findForRow(row: RowPlace): AccountOptions | null {
    const leadsThere = ({ baseUrl, merchantId }: AccountOptions) =>
      baseUrl === row.base_url && isSameMerchant(merchantId, row.merchant_id)
    const own = this.find(row.account)
    return own && leadsThere(own) ? own : (this.options.accounts.find(leadsThere) ?? null)
  }

  /** @throws MedusaError `NOT_ALLOWED` when no account has the row's address and merchant any more */
  getForRow(row: RowPlace & { id: string }): AccountOptions {
    const account = this.findForRow(row)
    if (!account) throw refusedPayment("no_account", { row: row.id })
    return account
  }

  /**
   * The account whose storefront options apply to a row's payer: the row's account; if none has its address and merchant any
   * more, the account with the same id, else the first one. Only storefront addresses may be taken from it.
   */
  storefrontOf(row: RowPlace): AccountOptions {
    return this.findForRow(row) ?? this.find(row.account) ?? this.options.accounts[0]
  }

  /** Each merchant account once, even if several accounts of the options share it. */
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

  /**
   * The other configured merchants, whose settled rows and orders their own comparisons look at. Those of merchants and addresses
   * that are configured no more have no comparison of their own, so every merchant's looks at them.
   */
  merchantsBut(merchant: MerchantAccount): MerchantAccount[] {
    const own = merchantAccountId(merchant)
    return this.merchantAccounts().filter((one) => merchantAccountId(one) !== own)
  }

  /** Every account with its id, which is null in a configuration of one account. */
  named(): NamedAccount[] {
    return this.options.accounts.map((options, index) => ({
      id: this.options.ids[index] ?? null,
      options,
    }))
  }

  /** Whether payouts are switched on and an account has a signing secret. */
  canPayOut(): boolean {
    const { enabled } = this.store.payouts
    return enabled && this.options.accounts.some(({ signingSecret }) => signingSecret !== undefined)
  }

  /** A client for the service. Making one is cheap, because connections are shared by the process. */
  client(account: AccountOptions): PaymentServiceClient {
    return new PaymentServiceClient(account, { logger: this.logger })
  }

  /** A client for a merchant's export; its file may be at any host in `linkHosts` of its accounts. */
  clientAt({ accounts }: ConfiguredMerchantAccount): PaymentServiceClient {
    const linkHosts = accounts.flatMap((account) => account.export.linkHosts)
    return this.client({ ...accounts[0], export: { ...accounts[0].export, linkHosts } })
  }
}
