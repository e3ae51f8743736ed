import { randomUUID } from "node:crypto"

import type { TestStore } from "./store"

const TIME_TO_PAY_MS = 15 * 60_000

type NewRow = Parameters<TestStore["module"]["createTransactions"]>[0] extends infer Rows
  ? Rows extends readonly (infer Row)[]
    ? Row
    : never
  : never

/** Open transactions of ours, as they are written once the service has answered; what is given is otherwise. */
export async function addRows(store: TestStore, rows: Partial<NewRow>[]) {
  const now = store.module.clock.now()
  return await store.module.createTransactions(
    rows.map((row) => {
      const id = row.transaction_id ?? randomUUID()
      return {
        account: "main",
        base_url: store.simulator.url,
        merchant_id: store.simulator.merchantId,
        method: "sbp",
        session_id: `payses_${id}`,
        payment_collection_id: `pay_col_${id}`,
        amount: "1000",
        currency: "RUB",
        description: "Tea House: Teapot",
        transaction_id: id,
        opened_at: now,
        expires_at: new Date(now.getTime() + TIME_TO_PAY_MS),
        state: "pending" as const,
        ...row,
      }
    })
  )
}
