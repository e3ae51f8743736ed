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
  UNPUBLISHED,
  WAITS_FOR_MEDUSA,
  WATCHED,
} from "../../../src/modules/payment-service/rules-in-sql"
import { sql, type Sql } from "../../../src/modules/payment-service/sql"
import { MOST_WAITING } from "../../../src/modules/payment-service/subscription-lookups"
import {
  causeOfMissingAccount,
  causeOfRefusedCredentials,
  causeOfSilence,
  causeOfStatus,
  causeOfUnread,
} from "../../../src/settlement/cause"
import { isSameMerchant, merchantAccountId } from "../../../src/settlement/merchant-account"
import { problem, problemOf } from "../../../src/settlement/problems"
import {
  hasMedusaFollowed,
  isPaidAndNotHandled,
  isSettledInOrder,
  needsPerson,
  QUIET_ATTEMPTS,
  standingOf,
} from "../../../src/settlement/standing"
import { paidSum } from "../../../src/settlement/transaction"
import { isWatched } from "../../../src/settlement/watch-schedule"
import {
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
} from "../../../src/settlement/transaction-state"
import { aTransactionRow } from "../../unit/a-row"
import { addRows } from "../add-rows"
import { logIn } from "../admin"
import { type Passes, takeOverPasses } from "../passes"
import { Shopper } from "../shopper"
import { eventually, type TestStore, withOptions } from "../store"

const MINUTE = 60_000
/** Ours that grow with the store. */
const LARGE_TABLES = [
  "transaction",
  "callback",
  "unknown_id",
  "subscription_lookup",
  "event",
  "problem",
  "payout",
].map((table) => `payment_service_${table}`)
const ROWS = 300_000
/** Of 8 kB each, that the question whether anything is due may look at; a scan of all rows needs 20,000. */
const MOST_PAGES = 3_000

export function statementsOfTheWatcher(store: TestStore): void {
  // So fast that all of the many due rows are read soon.
  withOptions(store, () => ({ watcher: { readsPerSecond: 200 } }))
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
      { state: "paid", told_state: "paid", settled_at: new Date(now) },
      // Its status is not known, and it is looked at later.
      {
        ...{ exception: "unknown_status", exception_at: new Date(now), status: "ON_HOLD" },
        watch_at: new Date(now + 60 * MINUTE),
      },
      {
        ...{ merchant_id: elsewhere.merchantId, base_url: elsewhere.baseUrl },
        watch_at: new Date(now - MINUTE),
      },
    ])
    await store.module.watching.record(here, {
      ...{ settled: 0, failed: 1, silent_passes: 9, silent_since: new Date(now - 60 * MINUTE) },
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
    expect(statements.map(({ sql }) => sql.slice(0, 30))).toHaveLength(5)
    for (const { sql } of statements) expect(sql).not.toMatch(/\b(insert|update|delete)\b/)
    expect(await store.module.listProblems({ closed_at: null }, { take: null })).toEqual(open)

    // And it was not deaf: each of these is something to do.
    await store.module.deleteWatcherRuns(merchantAccountId(here))
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
  it.each<[string, (ids: string[]) => Promise<unknown>]>([
    ["have a status", () => store.module.dueTransactions.makeStatusDue(odd(), 20)],
    ["are listed", (ids) => store.module.reconciliation.markListed(ids, new Date())],
  ])("those that %s are locked in the order in which callbacks lock them", async (_, change) => {
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
      const changed = change([last, first])
      await eventually("it waits for the first", async () => {
        const { rowCount } = await database.query("select 1 from pg_locks where not granted")
        return rowCount
      })
      await expect(database.query(lock(last))).resolves.toMatchObject({ rowCount: 1 })
      await database.query("rollback")
      await changed
    })
  })

  it("what a callback and the reply to a creation write is found by an index", async () => {
    await withDatabase(store, async (database) => {
      const shopper = new Shopper(store)
      const { data } = await shopper.checkout()
      const statements = await recordStatements(store, async () => {
        await store.module.callbacks.keep({
          transactionIds: [data.transaction_id, randomUUID()],
          ...{ subscriptionIds: [randomUUID()], size: 1, digest: "00" },
        })
        await store.module.subscriptionLookups.claimDue()
        await store.module.subscriptionLookups.forgetOld()
        await store.module.dueTransactions.hintNamed([data.transaction_id])
        await shopper.checkout()
      })
      // A table without rows is scanned unless that is made to look expensive.
      await database.query("set enable_seqscan = off")
      const scans: string[] = []
      for (const { sql, bindings } of statements) {
        const scanned = await tablesScanned(database, sql, bindings)
        scans.push(...scanned.map((table) => `${table} in ${sql.slice(0, 200)}`))
      }
      expect(statements.map(({ sql }) => sql).join()).toContain("with early as")
      expect(scans).toEqual([])
    })
  })

  if (process.env.DEEP !== "1") return

  it(`all of them find their rows by an index among ${ROWS}`, async () => {
    await withDatabase(store, async (database) => {
      const { simulator, module } = store
      const now = module.clock.now()
      await fill(database, store, now)
      // Beside the many: something of everything that a pass can find to do.
      const shopper = new Shopper(store)
      const [paid, unpaid] = [await shopper.checkout(), await shopper.checkout()]
      await simulator.pay(paid.data.transaction_id, { callback: false })
      const [silent] = await addRows(store, [{ watch_at: now, transaction_id: randomUUID() }])
      simulator.fault({
        ...{ on: "get", kind: "status", status: 503, times: Infinity },
        transactionId: silent?.transaction_id ?? "",
      })
      await logIn(store)
      // One that became unknown just now, and one whose process is gone.
      await database.query(
        `update payment_service_payout set state = case when id = 'pspo_many1' then 'unknown' else 'sending' end,
           sent_at = $1::timestamptz - interval '1 hour', answer_by = $1
         where id in ('pspo_many1', 'pspo_many2')`,
        [now]
      )
      passes.advance(2 * MINUTE)
      const statements = await recordStatements(store, async () => {
        await module.callbacks.keep({
          transactionIds: [unpaid.data.transaction_id, randomUUID()],
          ...{ subscriptionIds: [randomUUID()], size: 1, digest: "00" },
        })
        await module.subscriptionLookups.claimDue()
        await shopper.checkout()
        for (let runs = 0; runs < 4; runs++) {
          await passes.runJob()
          passes.advance(2_000)
        }
      })
      const ours = new Map(
        statements
          .filter(({ sql }) => LARGE_TABLES.some((table) => sql.includes(table)))
          .map((statement) => [statement.sql, statement.bindings])
      )
      // The parts of a pass are among them, so that this looked at what it is to look at.
      const missing = [
        'as "notConfigured"',
        "interval '1 minute', tried_at",
        "exception_at = case when",
        "insert into payment_service_callback",
        "with early as",
        "delete from payment_service_unknown_id where received_at",
        "insert into payment_service_subscription_lookup",
        "update payment_service_subscription_lookup set due_at",
        "update payment_service_event set send_at",
        "told_state <> state",
        "kind = 'unknown_status'",
        "group by lower(t.merchant_id)",
        "union (select t.id from payment_service_problem",
        "order by completion_began_at",
        "select id from payment_service_payout where state = 'sending'",
        "select p.id from payment_service_payout p where p.state = 'unknown'",
      ].filter((part) => ![...ours.keys()].some((sql) => sql.includes(part)))
      const scans: string[] = []
      for (const [sql, bindings] of ours) {
        const scanned = await tablesScanned(database, sql, bindings)
        scans.push(...scanned.map((table) => `${table} in ${sql.slice(0, 200)}`))
      }
      expect({ missing, scans }).toEqual({ missing: [], scans: [] })

      const [question] = [...ours].filter(([sql]) => sql.includes('as "notConfigured"'))
      const { rows } = await database.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${question?.[0] ?? ""}`,
        question?.[1]
      )
      const plan = rows[0]?.["QUERY PLAN"][0].Plan
      const pages = (plan?.["Shared Hit Blocks"] ?? NaN) + (plan?.["Shared Read Blocks"] ?? NaN)
      expect(pages).toBeLessThan(MOST_PAGES)
    })
  })
}

/** No statement asks this rule about such a row. */
const NOT_ASKED = Symbol("not asked")

const A_MERCHANT = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"

/** The rules of `rules-in-sql.ts`, each with the same in TypeScript. */
const TWINS: [Sql, (row: TransactionRow) => unknown][] = [
  [WATCHED, isWatched],
  [UNPUBLISHED, (row) => row.told_state !== row.state && hasMedusaFollowed(row)],
  [MERCHANT_ACCOUNT_OF_ROW, (row) => merchantAccountId(placeOf(row))],
  [CAUSE_OF_STATUS, ({ merchant_id, status }) => causeOfStatus(merchant_id, status ?? "")],
  [sql`array[${PAID_SUM.amount}, ${PAID_SUM.currency}]`, (row) => Object.values(paidSum(row))],
  [isOfMerchant(A_MERCHANT), ({ merchant_id }) => isSameMerchant(merchant_id, A_MERCHANT)],
  [CAUSE_OF_ROW, (row) => problemOf(row)?.cause ?? NOT_ASKED],
  [PAID_AND_NOT_HANDLED, isPaidAndNotHandled],
  [SETTLED_IN_ORDER, isSettledInOrder],
  [NEEDS_PERSON, needsPerson],
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
    read_amount: fc.option(fc.constant("999.99")),
    read_currency: fc.option(fc.constant("USD")),
    base_url: fc.webUrl(),
    status: fc.option(fc.string()),
    exception: fc.option(fc.constantFrom(...TRANSACTION_EXCEPTIONS)),
    transaction_id: fc.option(fc.uuid()),
    watch_at: sometimes(new Date()),
    hinted_at: sometimes(new Date(0), new Date(4e12)),
    paid_late: fc.boolean(),
    state: fc.constantFrom(...TRANSACTION_STATES),
    told_state: fc.constantFrom(...TRANSACTION_STATES),
    settled_at: sometimes(new Date()),
    handled_at: sometimes(new Date()),
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

interface Plan {
  "Node Type": string
  "Relation Name"?: string
  "Index Name"?: string
  "Index Cond"?: string
  Filter?: string
  "Shared Hit Blocks"?: number
  "Shared Read Blocks"?: number
  Plans?: Plan[]
}

/** The parts of a plan that read every row of a table. */
function scannedWhole(plan: Plan): Plan[] {
  // An index of all rows that is not asked for some of them is as long.
  const isWhole =
    plan["Node Type"] === "Seq Scan" ||
    (plan["Index Name"]?.endsWith("_pkey") && plan["Index Cond"] === undefined)
  const own = isWhole ? [plan] : []
  return [...own, ...(plan.Plans ?? []).flatMap(scannedWhole)]
}

/** Our large tables of which a statement would read every row, each with the condition that it is read by. */
async function tablesScanned(
  database: Client,
  statement: string,
  bindings: unknown[]
): Promise<string[]> {
  const { rows } = await database.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `explain (format json) ${statement}`,
    bindings
  )
  const plan = rows[0]?.["QUERY PLAN"][0].Plan
  return (plan ? scannedWhole(plan) : []).flatMap((part) => {
    const { "Relation Name": table = "", Filter: filter = "" } = part
    return LARGE_TABLES.includes(table) ? [`${table} by ${filter}`] : []
  })
}

/** A store that is some years old: nearly all is over, something is open, and an account was taken away. */
async function fill(database: Client, store: TestStore, now: Date): Promise<void> {
  const { url, merchantId } = store.simulator
  await database.query(
    `insert into payment_service_transaction (id, account, base_url, merchant_id, method, provider_id,
       session_id, return_session_id, payment_collection_id, cart_id, amount, currency, description,
       transaction_id, transaction_key, opened_at, expires_at, state, told_state, status, read_at, paid_at,
       settled_at, order_id, exception, exception_at, handled_at, watch_at, completion_began_at, completion)
     select 'pstx_many' || n, 'main', case when n % 100 = 3 then 'https://gone.test' else $1 end, $2,
       'sbp', 'pp_sbp_main', 'payses_' || n, 'payses_' || n, 'pay_col_' || n, 'cart_' || n, '1000',
       'RUB', 'Tea', case when kind = 'refused' then null else md5(n::text)::uuid::text end,
       case when kind = 'refused' then null else md5(n::text)::uuid::text end,
       opened, opened + interval '15 minutes',
       case when kind in ('paid', 'wrong', 'handled', 'half') then 'paid'
         when kind in ('canceled', 'refused') then kind when kind = 'untold' then 'expired' else 'pending' end,
       case when kind = 'paid' then 'paid' when kind = 'canceled' then 'canceled' else 'pending' end,
       case when kind = 'unknown' then 'HOLD_' || n % 3 else 'CONFIRMED' end, opened,
       case when kind in ('paid', 'wrong', 'handled', 'half') then opened end,
       case when kind = 'paid' then opened end, case when kind = 'paid' then 'order_' || n end,
       case when kind in ('wrong', 'handled') then 'cart_changed' when kind = 'unknown' then 'unknown_status' end,
       case when kind in ('wrong', 'handled', 'unknown') then opened end,
       case when kind = 'handled' then opened end,
       case when kind in ('open', 'unknown', 'wrong', 'half') or n % 100 = 3 and kind = 'canceled'
         then $3::timestamptz + ((n / 7) % 6000 - 60) * interval '1 second' end,
       case when kind = 'half' then $3::timestamptz - interval '1 hour' end,
       case when kind = 'half' then jsonb_build_object('id', 'many_' || n, 'isHeld', true, 'uses', '{}'::jsonb) end
     from (select n, $3::timestamptz - n * interval '2 minutes' as opened,
         case when n % 30000 = 7 then 'half' when n % 30000 = 8 then 'untold'
           when n % 3000 = 5 then 'wrong' when n % 600 = 6 then 'handled' when n % 10000 = 9 then 'unknown'
           when n % 300 = 1 then 'open' when n % 20 = 2 then 'refused'
           when n % 3 = 0 then 'canceled' else 'paid' end as kind
       from generate_series(1, ${ROWS}) n) rows`,
    [url, merchantId, now]
  )
  // All exceptions but one have been reported; many others were, too, long ago.
  await database.query(
    `insert into payment_service_problem (id, kind, cause, transaction_row_id, facts, opened_at,
       last_seen_at, closed_at, resolution)
     select 'psprob_' || n, 'paid_after_change', 'transaction:pstx_many' || n, 'pstx_many' || n, '{}',
       $1::timestamptz, $1::timestamptz, case when n % 3000 = 5 then null else $1::timestamptz end,
       case when n % 3000 = 5 then null else 'handled' end
     from generate_series(1, ${ROWS}) n where n % 3000 = 5 and n > 3000 or n % 10 = 0`,
    [now]
  )
  // Some payouts nobody has known of for long, and somebody was asked about each of them.
  await database.query(
    `insert into payment_service_payout (id, state, account, base_url, merchant_id, amount, card_id, card_last4,
       idempotency_key, attempts, limit_day, made_by, made_by_name, made_at, sent_at)
     select 'pspo_many' || n, case when n % 10000 = 0 then 'unknown' when n % 50 = 0 then 'rejected' else 'created' end,
       'main', $1, $2, 1000 + n % 5000, 'card', '4242', 'key_' || n, 1, '2026-01-01', 'user', 'Anna',
       $3::timestamptz - n * interval '2 minutes', $3::timestamptz - n * interval '2 minutes'
     from generate_series(1, ${ROWS}) n`,
    [url, merchantId, now]
  )
  await database.query(
    `insert into payment_service_problem (id, kind, cause, facts, opened_at, last_seen_at)
     select 'psprob_payout' || n, 'payout_unknown', 'payout:pspo_many' || n, '{}', $1, $1
     from generate_series(1, ${ROWS}) n where n % 10000 = 0`,
    [now]
  )
  await database.query(
    `insert into payment_service_problem (id, kind, cause, transaction_row_id, facts, opened_at, last_seen_at)
     select 'psprob_unread' || n, 'service_unreachable', 'unread:pstx_many' || n, 'pstx_many' || n, '{}'::jsonb,
       $1::timestamptz, $1::timestamptz from generate_series(1, 50) n
     union all
     select 'psprob_hold' || n, 'unknown_status', 'status:' || lower($2) || ':HOLD_' || n, null, '{}',
       $1::timestamptz, $1::timestamptz from generate_series(0, 5) n`,
    [now, merchantId]
  )
  await database.query(
    `insert into payment_service_callback (id, transaction_ids, size, digest, received_at)
     select 'pscb_' || n, jsonb_build_array(md5(n::text)::uuid::text), 100, '00', $1::timestamptz - n * interval '8 seconds'
     from generate_series(1, ${ROWS}) n`,
    [now]
  )
  // As after a flood of callbacks with ids of nobody.
  await database.query(
    `insert into payment_service_unknown_id (id, received_at)
     select md5('unknown' || n)::uuid::text, $1::timestamptz + n * interval '1 millisecond'
     from generate_series(1, ${ROWS}) n`,
    [now]
  )
  // Ids of nobody that the service was asked for, and as many as may wait.
  await database.query(
    `insert into payment_service_subscription_lookup (id, named_at, named_times, due_at, unknown_to)
     select md5('lookup' || n)::uuid::text, $1::timestamptz, 1,
       case when n <= ${MOST_WAITING} then $1::timestamptz end, '[]'
     from generate_series(1, ${ROWS}) n`,
    [now]
  )
  await database.query(
    `insert into payment_service_event (id, name, data, written_at, send_at)
     select 'psevt_many' || n, 'payment_service.transaction_settled', '{}', $1::timestamptz,
       case when n = 1 then $1::timestamptz end
     from generate_series(1, ${ROWS}) n`,
    [now]
  )
  await database.query("analyze")
}
