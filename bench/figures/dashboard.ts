import type { AxiosInstance } from "axios"

import type { Benchmark, Figure } from "../figure"
import type { Database } from "../stand"
import { median, p99, rounded } from "../statistics"

const SIZES = [300_000, 3_000_000]
const QUICK_SIZES = [3_000]
/** Rows of one statement: Postgres keeps a statement in memory. */
const BATCH = 300_000
const SAMPLES = 15

/** What an admin asks, by the words of the figure. `$` stands for something that is there. */
const QUESTIONS: Record<string, (known: Known) => string> = {
  "newest page": () => "transactions?limit=20",
  "a page far back": () => "transactions?limit=20&offset=9000",
  "one state": () => "transactions?limit=20&state=paid",
  "a rare state": () => "transactions?limit=20&state=unknown",
  "what is out of order": () => "transactions?limit=20&exception=amount_less",
  "method and month": ({ from }) => `transactions?limit=20&method=crypto&from=${from}`,
  "largest amounts": () => "transactions?limit=20&order=-amount",
  "search by amount": () => "transactions?limit=20&q=1234.00",
  "search by id": ({ transactionId }) => `transactions?limit=20&q=${transactionId}`,
  "search by e-mail": () => "transactions?limit=20&q=nobody@shopper.test",
  "search by order number": () => "transactions?limit=20&q=77",
  "one payment": ({ transactionId }) => `transactions/${transactionId}`,
  "payments of an order": ({ orderId }) => `payments?order_id=${orderId}`,
  "open problems": () => "problems?status=open",
}

interface Known {
  transactionId: string
  orderId: string
  from: string
}

/** How long the pages of the dashboard wait for an answer, in a store with very many payments. */
export const dashboard: Benchmark = {
  name: "dashboard",
  title: "The dashboard's answers",
  async run(stand, { quick }): Promise<Figure[]> {
    const figures: Figure[] = []
    const sizes = quick ? QUICK_SIZES : SIZES
    const database = await stand.database()
    const store = await stand.startStore(database)
    const shopper = stand.shopperAt(store)
    const { data } = await shopper.checkout()
    const admin = await stand.adminRequests(store)
    let there = 1
    for (const size of sizes) {
      await addRows(database, there, size)
      there = size
      const known: Known = {
        transactionId: data.transaction_id,
        orderId: "order_77",
        from: new Date(Date.now() - 30 * 86_400_000).toISOString(),
      }
      const times = await ask(admin, known)
      const core = await timesOf(admin, "/admin/orders?limit=20")
      const medians = Object.fromEntries(
        Object.entries(times).map(([name, ms]) => [name, rounded(median(ms))])
      )
      const slowest = Math.max(...Object.values(times).map(median))
      figures.push({
        figure: `dashboard_slowest_${size}`,
        value: rounded(slowest),
        unit: "ms",
        yardstick: "core's own list of orders, of which there are none",
        yardstick_value: rounded(median(core)),
        ratio: rounded(slowest / median(core)),
        samples: SAMPLES * Object.keys(times).length,
        measured:
          `the slowest median over ${SAMPLES} times among ${Object.keys(times).length} questions that the ` +
          `dashboard asks, over HTTP, with ${size} transactions of the store`,
        details: { ...medians, p99_of_all: rounded(p99(Object.values(times).flat())) },
      })
    }
    await store.stop()
    return figures
  },
}

async function ask(admin: AxiosInstance, known: Known): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {}
  for (const [name, question] of Object.entries(QUESTIONS)) {
    times[name] = await timesOf(admin, `/admin/payment-service/${question(known)}`)
  }
  return times
}

async function timesOf(admin: AxiosInstance, path: string): Promise<number[]> {
  const times: number[] = []
  for (let sample = 0; sample <= SAMPLES; sample++) {
    const began = performance.now()
    await admin.get(path)
    times.push(performance.now() - began)
  }
  // The first one finds nothing in memory.
  return times.slice(1)
}

/** Payments of three years, as they are when they are over: copies of the one that a shopper has opened. */
async function addRows({ client }: Database, there: number, size: number): Promise<void> {
  await client.query("set session_replication_role = replica")
  for (let from = there; from < size; from += BATCH) {
    await client.query(
      `insert into payment_service_transaction
       select (jsonb_populate_record(one, jsonb_build_object(
         'id', 'pstx_' || n, 'transaction_id', md5(n::text)::uuid, 'transaction_key', md5(n::text)::uuid,
         'session_id', 'payses_' || n, 'return_session_id', 'payses_' || n,
         'payment_collection_id', 'pay_col_' || n, 'cart_id', 'cart_' || n / 2,
         'order_id', case when n % 3 > 0 then 'order_' || n end,
         'customer_id', 'cus_' || n % 50000, 'payer_id', 'guest_' || n % 70000,
         'amount', (100 + n % 9000) || '.00', 'method', case when n % 10 = 0 then 'crypto' else 'sbp' end,
         'state', case when n % 50000 = 7 then 'unknown' when n % 3 > 0 then 'paid' else 'expired' end,
         'exception', case when n % 20000 = 1 then 'amount_less' end,
         'opened_at', now() - (n % 1576800) * interval '1 minute',
         'paid_at', case when n % 3 > 0 then now() - (n % 1576800) * interval '1 minute' end,
         'settled_at', case when n % 3 > 0 then now() - (n % 1576800) * interval '1 minute' end,
         'told_state', case when n % 3 > 0 then 'paid' else 'expired' end,
         'handled_at', case when n % 20000 = 1 then now() end, 'watch_at', null
       ))).* from payment_service_transaction one, generate_series($1::int, $2::int) n
       where one.id = (select min(id) from payment_service_transaction where id > 'pstx_0' and length(id) > 20)`,
      [from, Math.min(from + BATCH, size) - 1]
    )
  }
  await client.query("set session_replication_role = default")
  await client.query("analyze payment_service_transaction")
}
