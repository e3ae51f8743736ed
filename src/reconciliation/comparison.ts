import type { MedusaContainer } from "@medusajs/framework/types"

import type {
  Accounts,
  PaymentServiceModuleService,
  TransactionRow,
} from "../modules/payment-service"
import { problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import type { ConfiguredMerchant } from "../settings/accounts"
import { inKopecks } from "../values/amount"
import type { Period } from "../values/local-days"
import type { ListedRecord } from "./rules/compare-record"
import type { ComparisonCounts, Page } from "./statements/runs"

/** One running comparison with the records of one merchant. */
export interface Comparison {
  container: MedusaContainer
  module: PaymentServiceModuleService
  accounts: Accounts
  merchant: ConfiguredMerchant
  span: Period
  counts: ComparisonCounts
  /** Ids of the rows that differ and must be settled, each with its paid record if the list has one. */
  differing: Map<string, ListedRecord | null>
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

/** Reports a payment without a row, or whose row got no id, or that only the list calls paid, or that is the second one of its row. */
export async function reportNotHere(
  { module, merchant: { baseUrl, merchantId } }: Comparison,
  record: ListedRecord,
  row: TransactionRow | null = null,
  found: "listed_only" | "second_payment" = "listed_only"
): Promise<void> {
  const { recordId, amount, currencyCode, status, payload } = record
  const sum = inKopecks({ amount, currency: currencyCode })
  const listed = { baseUrl, merchantId, record: recordId, listed: { ...sum, status } }
  const facts = !row
    ? { ...listed, found: "unknown_reference" as const, reference: payload ?? "" }
    : row.transaction_id === null && found === "listed_only"
      ? { ...listed, found: "creation_without_reply" as const, row: row.id }
      : { ...listed, found, row: row.id, transaction: row.transaction_id }
  const subject = row ? subjectOf(row) : { transaction_id: recordId }
  await module.problems.report(problem("payment_not_here", facts), { ...subject, ...sum })
}
