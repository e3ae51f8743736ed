import type { MedusaContainer } from "@medusajs/framework/types"

import type {
  Accounts,
  PaymentServiceModuleService,
  TransactionRow,
} from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import type { ComparisonCounts, Page } from "../../modules/payment-service/reconciliation"
import type { ListedRecord } from "../../settlement/compare-record"
import type { Span } from "../../settlement/reconciliation-schedule"
import type { StatusNames } from "../../settlement/transaction"

/** One running comparison with the records of one merchant. */
export interface Comparison {
  container: MedusaContainer
  module: PaymentServiceModuleService
  accounts: Accounts
  merchant: ConfiguredMerchantAccount
  span: Span
  /** The wait for one settle, in milliseconds. */
  longestSettleMs: number
  counts: ComparisonCounts
  /** Ids of the rows that differ and must be settled, each with its paid record if the list has one. */
  differing: Map<string, ListedRecord | null>
}

/** The service's codes that its list is asked for; none means all. */
export function listedCodes({ merchant }: Comparison) {
  const options = merchant.accounts.map((account) => account.export)
  return {
    statuses: codesOf(options.map((codes) => codes.statusCodes)),
    paymentMethods: codesOf(options.map((codes) => codes.methodCodes)),
  }
}

/** The filter codes of all accounts. Unless every account names some, the list is empty, which means all. */
function codesOf(codes: Record<string, string>[]): string[] {
  const named = codes.map((byLabel) => Object.values(byLabel))
  return named.every((own) => own.length > 0) ? [...new Set(named.flat())] : []
}

/** The status names of the row's account, else of the merchant's first account. */
export function statusesOf(
  { accounts, merchant }: Comparison,
  row: TransactionRow | null
): StatusNames {
  const own = row && accounts.findForRow(row)
  return (own ?? merchant.accounts[0]).statuses
}

/** Pages of records, or of ids, that `load` finds in order of their ids; none is empty. */
export async function* pagesOf<Found extends string | { id: string }>(
  limit: number,
  load: (page: Page) => Promise<Found[]>
): AsyncGenerator<Found[], void> {
  let after = ""
  for (;;) {
    const found = await load({ after, limit })
    const last = found.at(-1)
    if (!last) return
    yield found
    if (found.length < limit) return
    after = typeof last === "string" ? last : last.id
  }
}
