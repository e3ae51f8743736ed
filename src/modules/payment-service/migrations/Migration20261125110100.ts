import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const TRANSACTION = `"payment_service_transaction"`
const PAYOUT = `"payment_service_payout"`
const PROBLEM = `"payment_service_problem"`
/** `MERCHANT_ACCOUNT_OF_ROW` of rules-in-sql.ts; indexes repeat the conditions of the statements that read them. */
const MERCHANT_ACCOUNT = `(lower("merchant_id") || '@' || "base_url")`

/** No two rows have the same transaction of the service. */
const UNIQUE = "transaction_transaction_id"

/** Indexes of ids that find the beginning of one, too; in most databases, a plain index of text does not. */
const BEGINNINGS = {
  // Postgres keeps statistics of an expression only for an index of all rows.
  [UNIQUE]: `${TRANSACTION} (lower("transaction_id") text_pattern_ops)`,
  transaction_session_id: `${TRANSACTION} ("session_id" text_pattern_ops) WHERE deleted_at IS NULL`,
  transaction_payment_collection_id: `${TRANSACTION} ("payment_collection_id" text_pattern_ops) WHERE deleted_at IS NULL`,
  transaction_cart_id: `${TRANSACTION} ("cart_id" text_pattern_ops) WHERE deleted_at IS NULL`,
  transaction_order_id: `${TRANSACTION} ("order_id" text_pattern_ops) WHERE deleted_at IS NULL`,
}

/**
 * Indexes over expressions, in descending order, or with included columns. Each order of the list has one, so its first page is
 * found quickly whatever else is in the table; the overview and the limits of payouts read theirs instead of the rows.
 */
const INDEXES = {
  ...BEGINNINGS,
  transaction_opened_at: `${TRANSACTION} ("opened_at", "paid_at") WHERE deleted_at IS NULL`,
  transaction_of_collection: `${TRANSACTION} ("payment_collection_id", "opened_at", "state") WHERE deleted_at IS NULL`,
  transaction_last_paid: `${TRANSACTION} ("paid_at" DESC NULLS LAST, "opened_at" DESC) WHERE deleted_at IS NULL`,
  transaction_paid: `${TRANSACTION} ("paid_at") INCLUDE ("opened_at", "method", "read_amount", "read_currency", "amount", "currency", "settled_at", "handled_at", "figures") WHERE state = 'paid' AND paid_at IS NOT NULL AND deleted_at IS NULL AND (exception IS NULL OR exception NOT IN ('reversed', 'merchant_differs', 'reference_differs')) AND handled ->> 'as' IS DISTINCT FROM 'reversed'`,
  transaction_not_paid: `${TRANSACTION} ("opened_at") INCLUDE ("state", "method", "read_amount", "read_currency", "amount", "currency") WHERE paid_at IS NULL AND deleted_at IS NULL`,
  transaction_handled: `${TRANSACTION} ("opened_at") WHERE (handled_at IS NOT NULL OR handled IS NOT NULL) AND deleted_at IS NULL`,
  transaction_amount: `${TRANSACTION} (("amount"::numeric), "opened_at")`,
  transaction_read_amount: `${TRANSACTION} (round("read_amount"::numeric, 2))`,
  transaction_status: `${TRANSACTION} ("status", "merchant_id", "base_url") WHERE deleted_at IS NULL`,
  transaction_unknown_status: `${TRANSACTION} (('status:' || lower("merchant_id") || ':' || coalesce("status", ''))) WHERE exception = 'unknown_status' AND deleted_at IS NULL`,
  transaction_watched: `${TRANSACTION} (${MERCHANT_ACCOUNT}, "watch_at") WHERE watch_at IS NOT NULL AND (settled_at IS NULL OR exception IS NOT NULL OR hinted_at > settled_at) AND transaction_id IS NOT NULL AND deleted_at IS NULL`,
  journal_entry_opened: `"payment_service_journal_entry" ((facts ->> 'session_id')) WHERE kind = 'opened' AND deleted_at IS NULL`,
  payout_limit_day: `${PAYOUT} ("limit_day", "state") INCLUDE ("amount", "amount_usdt") WHERE deleted_at IS NULL`,
}

/** The journal entries that changes of a transaction's row cause, each with its kind, its condition and its facts. */
const CHANGES = `
  ('state', old.state <> new.state, jsonb_build_object('from', old.state, 'to', new.state, 'status', new.status,
    'amount', new.read_amount, 'currency', new.read_currency, 'late', new.paid_late)),
  ('status', old.state = new.state and old.status <> new.status,
    jsonb_build_object('from', old.status, 'to', new.status)),
  ('exception', old.exception is distinct from new.exception,
    jsonb_build_object('from', old.exception, 'to', new.exception)),
  ('attempt_failed', new.apply_attempts > old.apply_attempts, jsonb_build_object('attempts', new.apply_attempts,
    'reasons', to_jsonb(new) -> 'exception_reasons')),
  ('settled', old.settled_at is null and new.settled_at is not null, jsonb_build_object('order_id', new.order_id)),
  ('handled', (old.handled_at is null) <> (new.handled_at is null),
    jsonb_build_object('handled', new.handled_at is not null)),
  ('session', old.session_id <> new.session_id, jsonb_build_object('from', old.session_id, 'to', new.session_id)),
  ('accepted', new.accepted is distinct from old.accepted and new.accepted is not null,
    jsonb_build_object('amount', new.accepted -> 'amount')),
  ('deferred', old.deferred_at is null and new.deferred_at is not null, '{}'::jsonb)`

const ADD_ENTRY = `insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts)`
const ENTRY_ID = `'psjou_' || replace(gen_random_uuid()::text, '-', '')`

const FUNCTIONS = {
  journal_opening: `
  ${ADD_ENTRY} values (${ENTRY_ID}, new.id, clock_timestamp(), 'opened',
    jsonb_build_object('amount', new.amount, 'currency', new.currency, 'session_id', new.session_id));`,

  journal_change: `
  ${ADD_ENTRY} select ${ENTRY_ID}, new.id, clock_timestamp(), change.kind, change.facts
    from (values ${CHANGES}) as change (kind, is_so, facts) where change.is_so;`,

  problem_closed: `
  insert into payment_service_event (id, name, data, written_at, send_at)
    select id, 'payment_service.problem_closed', jsonb_build_object('id', id, 'problem_id', new.id, 'kind', new.kind,
      'resolution', new.resolution), new.closed_at, new.closed_at from (select 'psevt_closed_' || new.id as id) event;`,
}

/** The triggers, each with the moment when its function runs. Several statements close problems, and each closing has one event. */
const TRIGGERS: Record<keyof typeof FUNCTIONS, string> = {
  journal_opening: `after insert on ${TRANSACTION} for each row`,
  journal_change: `after update of state, status, exception, apply_attempts, settled_at, handled_at, session_id, accepted, deferred_at on ${TRANSACTION} for each row`,
  problem_closed: `after update of closed_at on ${PROBLEM} for each row when (old.closed_at is null and new.closed_at is not null)`,
}

/**
 * The parts of our schema that models cannot declare: indexes over expressions, and triggers that keep the
 * journal of transactions and tell of closed problems.
 */
export class Migration20261125110100 extends Migration {
  override async up(): Promise<void> {
    for (const [name, index] of Object.entries(INDEXES)) {
      const unique = name === UNIQUE ? "unique " : ""
      this.addSql(`create ${unique}index if not exists "IDX_payment_service_${name}" on ${index};`)
    }
    for (const [name, body] of Object.entries(FUNCTIONS)) {
      this.addSql(
        `create or replace function payment_service_${name}() returns trigger language plpgsql as $$\nbegin${body}\n  return null;\nend $$;`
      )
    }
    for (const [name, when] of Object.entries(TRIGGERS)) {
      this.addSql(
        `create or replace trigger payment_service_${name} ${when} execute function payment_service_${name}();`
      )
    }
  }

  override async down(): Promise<void> {
    for (const name of Object.keys(FUNCTIONS)) {
      this.addSql(`drop function if exists payment_service_${name}() cascade;`)
    }
    for (const name of Object.keys(INDEXES)) {
      this.addSql(`drop index if exists "IDX_payment_service_${name}";`)
    }
  }
}
