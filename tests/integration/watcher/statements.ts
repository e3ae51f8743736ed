import { randomUUID } from "node:crypto"

import { Client } from "@medusajs/framework/pg"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
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
  causeOfMissingAccount,
  causeOfRefusedCredentials,
  causeOfSilence,
  causeOfStatus,
  causeOfUnread,
} from "../../../src/problems/rules/cause"
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
import { problem, problemOf } from "../../../src/problems/rules/problems"
import { isWatched } from "../../../src/payments/rules/timing"
import { aTransactionRow } from "../../quick/a-row"
import { addRows } from "../add-rows"
import { type Passes, takeOverPasses } from "../passes"
import { eventually, type TestStore } from "../store"

const MINUTE = 60_000

export function statementsOfTheWatcher(store: TestStore): void {
  let passes: Passes
  beforeEach(async () => {
    passes = await takeOverPasses(store)
  })
  afterEach(() => {
    passes.release()
  })

  it("where nothing happens it asks one question, and writes nothing, whatever is open", async () => {
    const now = store.module.clock.now().getTime()
    const elsewhere = { baseUrl: "https://elsewhere.test", merchantId: randomUUID() }
    const here = { baseUrl: store.simulator.url, merchantId: store.simulator.merchantId }
    const [, , unknown, left] = await addRows(store, [
      // The service is given time to recover there.
      { watch_at: new Date(now - MINUTE) },
      { state: "paid", published_state: "paid", settled_at: new Date(now) },
      // Its status is not known, and it is looked at later.
      {
        exception: "unknown_status",
        exception_at: new Date(now),
        status: "ON_HOLD",
        watch_at: new Date(now + 60 * MINUTE),
      },
      {
        merchant_id: elsewhere.merchantId,
        base_url: elsewhere.baseUrl,
        watch_at: new Date(now - MINUTE),
      },
    ])
    await store.module.createSilences({
      id: merchantAccountId(here),
      unanswered: 9,
      since: new Date(now - 60 * MINUTE),
      paused_until: new Date(now + 60 * MINUTE),
    })
    await store.module.problems.report(problem("callback_unreadable", {}))
    // Each new state is published once.
    await passes.watch()
    const open = await store.module.listProblems({ closed_at: null }, { take: null })
    expect(open.map(({ kind }) => kind).sort()).toEqual([
      "callback_unreadable",
      "not_configured",
      "unknown_status",
    ])
    expect(open.map(({ cause }) => cause)).toContain(causeOfMissingAccount(elsewhere))

    const notifications = store.container.resolve(Modules.NOTIFICATION)
    await eventually("the feed has them", async () => {
      const told = await notifications.listNotifications({ channel: "feed" })
      return told.filter(({ status }) => status === "success").length === open.length
    })

    const statements = await recordStatements(store, async () => {
      for (let runs = 0; runs < 5; runs++) {
        passes.advance(2_000)
        await passes.runJob()
      }
    })
    // Once a second, whoever asks for the accounts first asks whether there are newer settings.
    const isLookAtSettings = ({ sql }: { sql: string }) => sql.includes("payment_service_settings")
    const [looks, asked] = [true, false].map((isLook) =>
      statements.filter((one) => isLookAtSettings(one) === isLook)
    )
    expect(asked?.map(({ sql }) => sql.slice(0, 30))).toHaveLength(5)
    expect(looks?.length).toBeLessThanOrEqual(5)
    for (const { sql } of statements) expect(sql).not.toMatch(/\b(insert|update|delete)\b/)
    expect(await store.module.listProblems({ closed_at: null }, { take: null })).toEqual(open)

    // And it was not deaf: each of these is something to do.
    await store.module.deleteSilences(merchantAccountId(here))
    expect((await passes.findDueWork()).transactions).not.toBeNull()
    await store.module.updateTransactions({
      id: unknown?.id ?? "",
      exception: null,
      status: "PENDING",
    })
    expect(await passes.findDueWork()).toMatchObject({ missed: true })
    await store.module.updateTransactions({ id: left?.id ?? "", watch_at: null })
    expect(await passes.findDueWork()).toMatchObject({ notConfigured: [] })
  })

  it("each rule that is written in SQL says what its twin in TypeScript says", async () => {
    await withDatabase(store, async (database) => {
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
    })
  })

  const odd = () => causeOfStatus(store.simulator.merchantId, "ODD")
  it("those that have a status are locked in the order in which callbacks lock them", async () => {
    // Postgres finds the one with the later id first.
    const [first, last] = ["pstx_1", "pstx_2"]
    const unknown = {
      exception: "unknown_status",
      exception_at: new Date(),
      status: "ODD",
    } as const
    await addRows(store, [
      { id: last, ...unknown },
      { id: first, ...unknown },
    ])
    const lock = (id: string) =>
      `select 1 from payment_service_transaction where id = '${id}' for update nowait`
    await withDatabase(store, async (database) => {
      await database.query("begin")
      await database.query(lock(first))
      const changed = store.module.dueTransactions.makeStatusDue(odd(), 20)
      await eventually("it waits for the first", async () => {
        const { rowCount } = await database.query("select 1 from pg_locks where not granted")
        return rowCount
      })
      await expect(database.query(lock(last))).resolves.toMatchObject({ rowCount: 1 })
      await database.query("rollback")
      await changed
    })
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

async function withDatabase(
  store: TestStore,
  work: (database: Client) => Promise<void>
): Promise<void> {
  const database = new Client({
    connectionString: store.container.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig
      .databaseUrl,
  })
  await database.connect()
  try {
    await work(database)
  } finally {
    await database.end()
  }
}

interface Statement {
  sql: string
  bindings: unknown[]
}

/** Everything about our tables that this process sends to the database meanwhile. */
async function recordStatements(store: TestStore, work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const knex = store.container.resolve<{
    on(event: "query", listener: (statement: Statement) => void): void
    removeListener(event: "query", listener: (statement: Statement) => void): void
  }>(ContainerRegistrationKeys.PG_CONNECTION)
  const record = ({ sql, bindings }: Statement) => {
    if (sql.includes("payment_service_")) statements.push({ sql, bindings })
  }
  knex.on("query", record)
  try {
    await work()
  } finally {
    knex.removeListener("query", record)
  }
  return statements
}
