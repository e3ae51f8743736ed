import { Client } from "@medusajs/framework/pg"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import * as fc from "fast-check"

import type { TransactionRow } from "../../../src/modules/payment-service"
import {
  CAUSE_OF_ROW,
  CAUSE_OF_STATUS,
  CAUSES_THAT_AN_ANSWER_ENDS,
  IS_PAYABLE,
  isOfMerchant,
  MERCHANT_ACCOUNT_OF_ROW,
  NEEDS_PERSON,
  PAID_AND_NOT_HANDLED,
  SETTLED_IN_ORDER,
  PAID_SUM,
  STANDING,
  toKopeck,
  UNPUBLISHED,
  WAITS_FOR_MEDUSA,
  WAS_PAID,
  WATCHED,
} from "../../../src/payments/statements/rules-in-sql"
import { sql, type Sql } from "../../../src/database/sql"
import { toWireAmount } from "../../../src/values/amount"
import {
  causeOfRefusedCredentials,
  causeOfSilence,
  causeOfStatus,
  causeOfUnread,
  problemOf,
} from "../../../src/problems/rules/problems"
import {
  hasMedusaFollowed,
  isPaidAndNotHandled,
  isSameMerchant,
  isSettledInOrder,
  merchantAccountId,
  needsPerson,
  paidSum,
  QUIET_ATTEMPTS,
  standingOf,
  wasPaid,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
} from "../../../src/payments/rules/transaction"
import { isWatched } from "../../../src/payments/rules/timing"
import { aTransactionRow } from "../../quick/a-row"
import { type TestStore } from "../store"

/** The rules that statements need say what the same rules in TypeScript say. */
export function rulesInSql(store: TestStore): void {
  it("each rule that is written in SQL says what its twin in TypeScript says (promise 3)", async () => {
    const { projectConfig } = store.container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
    const database = new Client({ connectionString: projectConfig.databaseUrl })
    await database.connect()
    try {
      const check = fc.asyncProperty(aRow, async (row) => {
        for (const [rule, twin] of TWINS) {
          const { rows } = await database.query<{ said: unknown }>(
            sql`select ${rule} as said
              from jsonb_populate_record(null::payment_service_transaction, ${JSON.stringify(row)}) t`
          )
          const said = twin(row)
          // Where a condition is null, no row is found by it.
          const inSql = typeof said === "boolean" ? (rows[0]?.said ?? false) : rows[0]?.said
          if (said !== NOT_ASKED) {
            expect({ rule: rule.sql, said: inSql }).toEqual({ rule: rule.sql, said })
          }
        }
      })
      await fc.assert(check)
    } finally {
      await database.end()
    }
  })
}

/** No statement asks this rule about such a row. */
const NOT_ASKED = Symbol("not asked")

const A_MERCHANT = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"

/** The rules of `rules-in-sql.ts`, each with the same in TypeScript. */
const TWINS: [Sql, (row: TransactionRow) => unknown][] = [
  [WATCHED, isWatched],
  [UNPUBLISHED, (row) => row.published_state !== row.state && hasMedusaFollowed(row)],
  [MERCHANT_ACCOUNT_OF_ROW, (row) => merchantAccountId(placeOf(row))],
  [CAUSE_OF_STATUS, ({ merchant_id, status }) => causeOfStatus(merchant_id, status ?? "")],
  [sql`array[${PAID_SUM.amount}, ${PAID_SUM.currency}]`, (row) => Object.values(paidSum(row))],
  [
    toKopeck(sql`t.read_amount`),
    ({ read_amount: sum }) => (sum === null ? null : toWireAmount(sum)),
  ],
  [isOfMerchant(A_MERCHANT), ({ merchant_id }) => isSameMerchant(merchant_id, A_MERCHANT)],
  [CAUSE_OF_ROW, (row) => problemOf(row)?.cause ?? NOT_ASKED],
  [PAID_AND_NOT_HANDLED, isPaidAndNotHandled],
  [SETTLED_IN_ORDER, isSettledInOrder],
  [WAS_PAID, wasPaid],
  [NEEDS_PERSON, needsPerson],
  [STANDING, standingOf],
  [IS_PAYABLE, (row) => standingOf(row) === "payable"],
  [WAITS_FOR_MEDUSA, (row) => standingOf(row) === "waiting_for_medusa"],
  [
    CAUSES_THAT_AN_ANSWER_ENDS,
    (row) => [
      causeOfUnread(row.id),
      causeOfSilence(placeOf(row)),
      causeOfRefusedCredentials(placeOf(row)),
    ],
  ],
]

const placeOf = ({ merchant_id, base_url }: TransactionRow) => ({
  merchantId: merchant_id,
  baseUrl: base_url,
})

const sometimes = (...times: Date[]) => fc.option(fc.constantFrom(...times))

const aRow = fc
  .record({
    id: fc.uuid().map((id) => `pstx_${id}`),
    merchant_id: fc.mixedCase(fc.oneof(fc.constant(A_MERCHANT), fc.uuid())),
    read_amount: fc.option(fc.constantFrom("999.99", "599.8000000000001", "599.7949999", "0.005")),
    read_currency: fc.option(fc.constant("USD")),
    base_url: fc.webUrl(),
    status: fc.option(fc.string()),
    exception: fc.option(fc.constantFrom(...TRANSACTION_EXCEPTIONS)),
    transaction_id: fc.option(fc.uuid()),
    watch_at: sometimes(new Date()),
    hinted_at: sometimes(new Date(0), new Date(4e12)),
    paid_late: fc.boolean(),
    state: fc.constantFrom(...TRANSACTION_STATES),
    published_state: fc.constantFrom(...TRANSACTION_STATES),
    settled_at: sometimes(new Date()),
    handled_at: sometimes(new Date()),
    exception_at: sometimes(new Date(0), new Date(4e12)),
    apply_after: sometimes(new Date()),
    apply_attempts: fc.constantFrom(0, QUIET_ATTEMPTS, QUIET_ATTEMPTS + 1),
  })
  .map((row) =>
    aTransactionRow({
      ...row,
      // Only what is paid settles.
      settled_at: row.state === "paid" ? row.settled_at : null,
    })
  )
