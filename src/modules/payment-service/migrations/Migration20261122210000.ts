import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * The journal entries that changes of a transaction's row cause, see `settlement/journal.ts`. A column that another migration
 * drops is then missing, which is no error.
 */
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
  ('accepted', new.accepted_amount is distinct from old.accepted_amount and new.accepted_amount is not null,
    jsonb_build_object('amount', new.accepted_amount)),
  ('deferred', old.deferred_at is null and new.deferred_at is not null, '{}'::jsonb)`

const ADD_ENTRY = `insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts)`
const NEW_ID = `'psjou_' || replace(gen_random_uuid()::text, '-', '')`

/** A journal and the payer of each transaction, and indexes for searching the service's list and amounts. */
export class Migration20261122210000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_journal_entry" ("id" text not null, "transaction_row_id" text not null, "at" timestamptz not null, "kind" text not null, "facts" jsonb not null, "by" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_journal_entry_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_journal_entry_deleted_at" ON "payment_service_journal_entry" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_journal_entry_row" ON "payment_service_journal_entry" ("transaction_row_id", "at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "payer_id" text null, add column if not exists "commission" text null, add column if not exists "commission_usdt" text null, add column if not exists "amount_usdt" text null;`
    )
    for (const [name, columns] of Object.entries(INDEXES)) {
      this.addSql(
        `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_${name}" ON "payment_service_transaction" (${columns}) WHERE deleted_at IS NULL;`
      )
    }
    this
      .addSql(`create or replace function payment_service_journal_opening() returns trigger language plpgsql as $$
begin
  ${ADD_ENTRY} values (${NEW_ID}, new.id, clock_timestamp(), 'opened',
    jsonb_build_object('amount', new.amount, 'currency', new.currency, 'session_id', new.session_id));
  return null;
end $$;`)
    this
      .addSql(`create or replace function payment_service_journal_change() returns trigger language plpgsql as $$
begin
  ${ADD_ENTRY} select ${NEW_ID}, new.id, clock_timestamp(), change.kind, change.facts
    from (values ${CHANGES}) as change (kind, is_so, facts) where change.is_so;
  return null;
end $$;`)
    this.addSql(
      `create or replace trigger payment_service_journal_opening after insert on payment_service_transaction for each row execute function payment_service_journal_opening();`
    )
    this.addSql(
      `create or replace trigger payment_service_journal_change after update of state, status, exception, apply_attempts, settled_at, handled_at, session_id, accepted_amount, deferred_at on payment_service_transaction for each row execute function payment_service_journal_change();`
    )
  }

  override async down(): Promise<void> {
    for (const what of ["opening", "change"]) {
      this.addSql(
        `drop trigger if exists payment_service_journal_${what} on payment_service_transaction;`
      )
      this.addSql(`drop function if exists payment_service_journal_${what}();`)
    }
    this.addSql(`drop table if exists "payment_service_journal_entry" cascade;`)
    for (const name of Object.keys(INDEXES)) {
      this.addSql(`drop index if exists "IDX_payment_service_transaction_${name}";`)
    }
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "payer_id", drop column if exists "commission", drop column if exists "commission_usdt", drop column if exists "amount_usdt";`
    )
  }
}

const INDEXES = {
  opened_at: `"opened_at"`,
  state: `"state", "opened_at"`,
  method: `"method", "opened_at"`,
  account: `"account", "opened_at"`,
  customer_id: `"customer_id"`,
  payer_id: `"payer_id"`,
  paid_at: `"paid_at"`,
  amount: `("amount"::numeric)`,
}
