import type { Database } from "./stand"

const TABLE = "payment_service_transaction"

/**
 * Payments of a year, what is wrong with some of them, and exports, as they are when they are over: copies of one that a
 * shopper has made. Two are of each cart. No store may use the database meanwhile.
 *
 * @param size how many there shall be
 */
export async function addPayments(
  { client }: Database,
  { like, size }: { like: string; size: number }
): Promise<void> {
  await client.query("set session_replication_role = replica")
  // Indexes that are made at the end take a tenth of the time.
  const { rows: indexes } = await client.query<{ name: string; statement: string }>(
    `select indexname as name, indexdef as statement from pg_indexes
     where tablename = $1 and indexname not like '%pkey'`,
    [TABLE]
  )
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  await client.query(ROWS, [size - 1, like])
  await client.query("set maintenance_work_mem = '512MB'")
  for (const { statement } of indexes) await client.query(statement)
  await client.query(BUYERS, [size - 1, like])
  await client.query(PROBLEMS, [size - 1])
  await client.query(PROBLEM_OF_STATUS)
  await client.query("set session_replication_role = default")
  await client.query(`vacuum analyze ${TABLE}`)
  await client.query(
    'analyze payment_service_problem, customer, cart, cart_address, "order", order_address'
  )
}

const OPENED = "now() - (n % 300000) * interval '105 seconds'"

const ROWS = `insert into ${TABLE}
  select made.* from ${TABLE} one cross join generate_series(1, $1::int) n
  cross join lateral jsonb_populate_record(one, jsonb_build_object(
    'id', 'pstx_' || n, 'transaction_id', md5(n::text)::uuid,
    'session_id', 'payses_' || n,
    'payment_collection_id', 'pay_col_' || n, 'cart_id', 'cart_' || n / 2,
    'order_id', case when n % 3 > 0 then 'order_' || n end,
    'customer_id', 'cus_' || n % 50000, 'payer_id', 'guest_' || n % 70000,
    'amount', (100 + n % 9000) || '.00', 'method', case when n % 10 = 0 then 'crypto' else 'sbp' end,
    'state', case when n % 50000 = 7 then 'unknown' when n % 3 > 0 then 'paid' else 'expired' end,
    'status', case when n % 5000 = 9 then 'ON_HOLD' when n % 3 > 0 then 'CONFIRMED' else 'EXPIRED' end,
    'read_amount', case when n % 3 > 0 then (100 + n % 9000) || '.00' end,
    'figures', jsonb_build_object('usdt_rate', '92.5', 'amount_usdt', round((100 + n % 9000) / 92.5, 2)::text,
      'commission', round((100 + n % 9000) / 50.0, 2)::text),
    'exception', case when n % 20000 = 1 then 'amount_less' when n % 5000 = 9 then 'unknown_status' end,
    'opened_at', ${OPENED},
    'paid_at', case when n % 3 > 0 then ${OPENED} + (15 + n % 401 + n % 307) * interval '1 second' end,
    'settled_at', case when n % 3 > 0 then ${OPENED} + interval '20 minutes' end,
    'published_state', case when n % 50000 = 7 then 'unknown' when n % 3 > 0 then 'paid' else 'expired' end,
    'handled_at', case when n % 20000 = 1 then now() end, 'watch_at', null, 'hinted_at', null
  )) made
  where one.id = $2`

/** The carts, orders and customers of these payments, each cart and order with a buyer's e-mail address and name of its own. */
const BUYERS = `
  with one as (select cart_id, order_id from ${TABLE} where id = $2),
  numbers as (select n, 'buyer' || n || '@mail' || n % 40 || '.test' as email, 'Имя' || n % 300 as first_name,
    'Фамилия' || n % 20000 as last_name from generate_series(0, $1::int) n),
  customers as (insert into customer (id, email, first_name, last_name, has_account)
    select 'cus_' || n, email, first_name, last_name, n % 5 = 0 from numbers where n < 50000),
  cart_addresses as (insert into cart_address (id, first_name, last_name)
    select 'caaddr_' || n, first_name, last_name from numbers where n <= $1::int / 2),
  carts as (insert into cart select made.* from cart c join one on c.id = one.cart_id
    cross join (select * from numbers where n <= $1::int / 2) numbers
    cross join lateral jsonb_populate_record(c, jsonb_build_object('id', 'cart_' || n, 'email', numbers.email,
      'shipping_address_id', 'caaddr_' || n)) made),
  order_addresses as (insert into order_address (id, first_name, last_name)
    select 'ordaddr_' || n, first_name, last_name from numbers where n % 3 > 0)
  insert into "order" select made.* from "order" o join one on o.id = one.order_id
    cross join (select * from numbers where n % 3 > 0) numbers
    cross join lateral jsonb_populate_record(o, jsonb_build_object('id', 'order_' || n, 'email', numbers.email,
      'display_id', 100000 + n, 'shipping_address_id', 'ordaddr_' || n)) made`

/** One payment in a thousand had a problem, and of these one in ten is open. */
const PROBLEMS = `insert into payment_service_problem
    (id, kind, cause, transaction_row_id, transaction_id, amount, currency, facts, opened_at, last_seen_at, closed_at,
     resolution)
  select 'psprob_' || n, 'amount_differs', 'transaction:pstx_' || n, 'pstx_' || n, md5(n::text)::uuid, '100', 'RUB',
    jsonb_build_object('row', 'pstx_' || n, 'exception', 'amount_less', 'late', false, 'reasons', '[]'::jsonb,
      'asked', jsonb_build_object('amount', '200', 'currency', 'RUB'),
      'paid', jsonb_build_object('amount', '100', 'currency', 'RUB')),
    ${OPENED}, ${OPENED}, case when n % 10000 > 0 then now() end, case when n % 10000 > 0 then 'handled' end
  from generate_series(1, $1::int) n where n % 1000 = 0`

/** One payment in five thousand has a status that no option names, which is one problem. */
const PROBLEM_OF_STATUS = `insert into payment_service_problem (id, kind, cause, facts, opened_at, last_seen_at)
  select 'psprob_status', 'unknown_status', 'status:' || lower(merchant_id) || ':' || status,
    jsonb_build_object('merchant', merchant_id, 'status', status), now(), now()
  from ${TABLE} where exception = 'unknown_status' limit 1
  on conflict do nothing`
