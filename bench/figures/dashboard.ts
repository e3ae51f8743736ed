import { randomUUID } from "node:crypto"

import type { AxiosInstance } from "axios"

import type { Benchmark, Figure } from "../figure"
import { addPayments } from "../many-payments"
import type { Database, RunningStore, Stand } from "../stand"
import { median, p99, rounded } from "../statistics"
import { whenSettled } from "../when-settled"
import { passOver } from "./watcher-pass"

/** Payments of the store, and how long an answer may take with so many. */
const SIZE = 300_000
const QUICK_SIZE = 3_000
const GOAL_MS = 200
/** Records of the service's own list. */
const LISTED = 49_000
/** In days: nothing else is in the list then, which has at most 50,000 records, whatever was measured before. */
const LISTED_AGO = 30
const SAMPLES = 15
/** Open payments of the watcher's pass. */
const WATCHED = 1_000
const DAY_MS = 86_400_000
const BASE = "/admin/payment-service"

/** A shopper's earlier payments: one that is in an order, and one that is open. */
interface Known {
  paid: { transactionId: string; orderId: string; orderNumber: number; cartId: string }
  open: { transactionId: string; sessionId: string }
  customerId: string
  email: string
  /** One that only the service knows. */
  foreignId: string
}

type Ask = (known: Known) => string

const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

/** Whole days in Moscow, where a day ends at 21:00 UTC, today included. */
function overview(days: number): Ask {
  return () => {
    const today = new Date()
    today.setUTCHours(21, 0, 0, 0)
    const to = today.getTime() > Date.now() ? today.getTime() : today.getTime() + DAY_MS
    const [from, until] = [to - days * DAY_MS, to].map((time) => new Date(time).toISOString())
    return `overview?from=${from}&to=${until}&time_zone=Europe/Moscow`
  }
}

const transactions =
  (query: string): Ask =>
  () =>
    `transactions?limit=20&${query}`

/** The service's list of two days. It is fetched by the question that comes first, which is not measured. */
const listed =
  (query: string): Ask =>
  () =>
    `service-transactions?limit=20&from=${LISTED_FROM}&to=${LISTED_TO}&${query}`
const [LISTED_FROM, LISTED_TO] = [ago(LISTED_AGO + 1), ago(LISTED_AGO - 1)]

/** An admin's requests, each by its name in the figure. */
const QUESTIONS: Record<string, Ask> = {
  "overview, 7 days": overview(7),
  "overview, 30 days": overview(30),
  "overview, 90 days": overview(90),
  "newest page": transactions(""),
  "a page far back": transactions("offset=9000"),
  "one state": transactions("state=paid"),
  "a rare state": transactions("state=unknown"),
  "what is out of order": transactions("exception=amount_less"),
  "one status of the service": transactions("status=CONFIRMED"),
  "a rare status of the service": transactions("status=ON_HOLD"),
  "an unknown status of the service": transactions("status=NEVER_SEEN"),
  "what waits for Medusa": transactions("standing=waiting_for_medusa"),
  "what was taken care of": transactions("standing=taken_care_of"),
  "what may be paid": transactions("standing=payable"),
  "one method": transactions("method=crypto"),
  "one account": transactions("account=main"),
  "a month": transactions(`from=${ago(60)}&to=${ago(30)}`),
  "method, state and month": transactions(`method=crypto&state=expired&from=${ago(30)}`),
  "paid in a month": transactions(`paid_from=${ago(60)}&paid_to=${ago(30)}`),
  "oldest first": transactions("order=opened_at"),
  "last paid": transactions("order=-paid_at"),
  "largest amounts": transactions("order=-amount"),
  "smallest amounts of a state": transactions("order=amount&state=expired"),
  "search by amount": transactions("q=1234.00"),
  "search by transaction": ({ paid }) => `transactions?limit=20&q=${paid.transactionId}`,
  "search by session": ({ open }) => `transactions?limit=20&q=${open.sessionId}`,
  "search by cart": ({ paid }) => `transactions?limit=20&q=${paid.cartId}`,
  "search by a transaction's beginning": ({ paid }) =>
    `transactions?limit=20&q=${paid.transactionId.slice(0, 8)}`,
  "search by a cart's beginning": ({ paid }) =>
    `transactions?limit=20&q=${paid.cartId.slice(0, 15)}`,
  "search by order number": ({ paid }) => `transactions?limit=20&q=${paid.orderNumber}`,
  "a payment's page": ({ paid }) => `transactions/${paid.transactionId}`,
  "the order's widget": ({ paid }) => `payments?order_id=${paid.orderId}`,
  "a customer's payments": ({ customerId }) => `payments?customer_id=${customerId}`,
  "open problems": () => "problems?status=open",
  "closed problems": () => "problems?status=closed&limit=20",
  "number of problems on every page": () => "problems?status=open&limit=1",
  "problems, search by amount": () => "problems?q=100",
  "problems, search by order number": ({ paid }) => `problems?q=${paid.orderNumber}`,
  "problems, search by transaction": ({ paid }) => `problems?q=${paid.transactionId}`,
  "problems, search by a transaction's beginning": ({ paid }) =>
    `problems?q=${paid.transactionId.slice(0, 8)}`,
  "a problem's page": () => "problems/psprob_1000",
  exports: () => "exports?limit=5",
  "an account's problems": () => "problems?account=main",
  comparisons: () => "comparisons",
  connection: () => "connection",
  subscriptions: () => "subscriptions",
  "service's list": listed(""),
  "service's list, largest": listed("order=-amount"),
  "service's list, far back": listed("offset=40000"),
  "service's list, unknown here": listed("known=false"),
  "the service's record of a payment": ({ paid }) => `service-transactions/${paid.transactionId}`,
  "a record unknown here": ({ foreignId }) => `service-transactions/${foreignId}`,
  "service's list, one status": listed("status_name=CONFIRMED"),
}

/** Searches by parts, for which all e-mail addresses and names are read. What reads all has a goal of its own. */
const SEARCHES_BY_PARTS: Record<string, Ask> = {
  "an e-mail address": ({ email }) => `transactions?limit=20&q=${email}`,
  "a part of an e-mail address": transactions("q=uyer14999"),
  "a part that very many have": transactions("q=@mail1"),
  "a name": transactions(`q=${encodeURIComponent("Имя7 Фамилия14")}`),
  "a name in another case": transactions(`q=${encodeURIComponent("фамилия1")}`),
  "search by a beginning that very many have": transactions("q=cart_1"),
  "service's list, search": listed(`q=${randomUUID().slice(0, 4)}`),
  "service's list, a beginning that very many have": listed("q=cart_1"),
  "a name that nobody has": transactions("q=nobody-at-all"),
  "a problem's buyer": () => "problems?q=uyer14999",
  "a payout's buyer": () => "payouts?q=uyer14999",
}
/** All payments of a year are counted, with what the service says of each. */
const YEAR: Record<string, Ask> = { "overview, a year": overview(366) }
const GOAL_OF_ALL_MS = 1_000

/** How long the pages of the dashboard wait for an answer, in a store with very many payments. */
export const dashboard: Benchmark = {
  name: "dashboard",
  title: "The dashboard's answers",
  async run(stand, { quick, rows }): Promise<Figure[]> {
    const database = await stand.database()
    const first = await stand.startStore(database)
    const ours = await payments(stand, database, first)
    await first.stop()
    const listedAt = Date.now() - LISTED_AGO * DAY_MS
    const [foreign] = await stand.simulator.addTransactions(LISTED, 1000, listedAt)
    const known = { ...ours, foreignId: foreign?.id ?? "" }

    const size = rows ?? (quick ? QUICK_SIZE : SIZE)
    await addPayments(database, { like: known.likeRow, size })
    const store = await stand.startStore(database)
    await database.statements.forget()
    const admin = await stand.adminRequests(store)
    const times = await askAll(admin, known, QUESTIONS)
    const byParts = await askAll(admin, known, SEARCHES_BY_PARTS)
    const year = await askAll(admin, known, YEAR)
    const { transactionId, sessionId } = known.open
    const settle = () => admin.post(`${BASE}/transactions/${transactionId}/settle`, {})
    const poll = () => stand.shopperAt(store).poll(sessionId)
    const [settles, polls] = [await timesOf(settle), await timesOf(poll)]
    const watcherMs = await database.statements.meanMs("with recursive merchant")
    const core = median(await timesOf(() => admin.get("/admin/orders?limit=20")))
    await store.stop()
    const what = "questions of the dashboard"
    const pages = slowestOf(times, { figure: "dashboard_slowest", what, size, goal: GOAL_MS })
    const beside = {
      "watcher's question, in Postgres": rounded(watcherMs),
      "core's list of orders": rounded(core),
    }
    return [
      { ...pages, details: { ...pages.details, ...beside } },
      slowestOf(byParts, {
        figure: "dashboard_search_by_parts",
        what: "searches by parts of an e-mail address or a name",
        size,
        goal: GOAL_OF_ALL_MS,
      }),
      slowestOf(year, {
        figure: "dashboard_year",
        what: "overviews of a year",
        size,
        goal: GOAL_OF_ALL_MS,
      }),
      slowestOf(
        { "a settle of a pending payment by an admin's request": settles },
        { figure: "dashboard_settle", what: "reads of the service", size, goal: GOAL_MS }
      ),
      slowestOf(
        { "a pending payment, of which one in two seconds reads the service": polls },
        { figure: "dashboard_poll", what: "polls", size, goal: GOAL_MS }
      ),
      await passOver(stand, database, {
        figure: `dashboard_watcher_pass_${size}`,
        count: quick ? 100 : WATCHED,
        among: size,
      }),
    ]
  },
}

/** The slowest of some questions beside its goal. */
function slowestOf(
  times: Record<string, number[]>,
  { figure, what, size, goal }: { figure: string; what: string; size: number; goal: number }
): Figure {
  const medians = Object.entries(times).map(([name, ms]): [string, number] => [name, median(ms)])
  medians.sort(([, one], [, other]) => other - one)
  const [[slowest, slowestMs] = ["", NaN]] = medians
  return {
    figure: `${figure}_${size}`,
    value: rounded(slowestMs),
    unit: "ms",
    yardstick: "the goal",
    yardstick_value: goal,
    ratio: rounded(slowestMs / goal),
    samples: SAMPLES * medians.length,
    measured:
      `the slowest (${slowest}) of the medians over ${SAMPLES} times of ${medians.length} ${what} over HTTP, with ${size} ` +
      `payments of the store and ${LISTED} in the service's list`,
    details: {
      ...Object.fromEntries(medians.map(([name, ms]) => [name, rounded(ms)])),
      p99_of_all: rounded(p99(Object.values(times).flat())),
    },
    ...(slowestMs > goal ? { failure: `${slowest} took longer than ${goal} ms.` } : {}),
  }
}

async function payments(
  stand: Stand,
  database: Database,
  store: RunningStore
): Promise<Omit<Known, "foreignId"> & { likeRow: string }> {
  const shopper = stand.shopperAt(store)
  const [paid, open] = [await shopper.checkout(), await shopper.checkout()]
  await stand.simulator.paySilently(paid.data.transaction_id)
  const admin = await stand.adminRequests(store)
  const settled = `${BASE}/transactions/${paid.data.transaction_id}/settle`
  await admin.post(settled, {})
  await whenSettled(database)
  const { data } = await admin.get<{
    orders: { id: string; display_id: number; email: string; customer_id: string }[]
  }>("/admin/orders?fields=id,display_id,email,customer_id")
  const [order] = data.orders
  if (!order) throw new Error("There is no order.")
  const row = await admin.get<{ transaction: { id: string } }>(
    `${BASE}/transactions/${paid.data.transaction_id}`
  )
  return {
    likeRow: row.data.transaction.id,
    paid: {
      transactionId: paid.data.transaction_id,
      orderId: order.id,
      orderNumber: order.display_id,
      cartId: paid.cartId,
    },
    open: { transactionId: open.data.transaction_id, sessionId: open.sessionId },
    customerId: order.customer_id,
    email: order.email,
  }
}

async function askAll(
  admin: AxiosInstance,
  known: Known,
  questions: Record<string, Ask>
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {}
  for (const [name, question] of Object.entries(questions)) {
    times[name] = await timesOf(() => admin.get(`${BASE}/${question(known)}`))
  }
  return times
}

async function timesOf(ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let sample = 0; sample <= SAMPLES; sample++) {
    const began = performance.now()
    await ask()
    times.push(performance.now() - began)
  }
  // The first one finds nothing in memory.
  return times.slice(1)
}
