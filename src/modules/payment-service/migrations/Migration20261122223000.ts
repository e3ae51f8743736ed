import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const TRANSACTION = `"payment_service_transaction"`

/** The columns of a transaction that the statements of `day-figures.ts` read. */
const READ = [
  ...[
    "state",
    "exception",
    "handled_as",
    "opened_at",
    "paid_at",
    "cart_id",
    "payment_collection_id",
  ],
  ...["method", "amount", "currency", "read_amount", "read_currency", "deleted_at"],
]

/**
 * A transaction counts on the days of its opening and its payment. Its cart counts on the day when the cart's first transaction
 * was opened, which may be this one or the first of the others. A transaction that is written simultaneously, unseen by this
 * function, was opened on the same day.
 *
 * The others are found by cart or collection only. Without `offset 0`, Postgres may read all transactions in the order of their
 * opening, and with `cart_id is null` all transactions without a cart.
 */
const MARK = `create or replace function payment_service_mark_changed() returns trigger language plpgsql as $$
begin
  insert into payment_service_changed_moment (id, at)
  select 'pschg_' || replace(gen_random_uuid()::text, '-', ''), moment.at from (
    select unnest(array[old.opened_at, old.paid_at, new.opened_at, new.paid_at]) as at
    union
    select other.opened_at
    from (values (old.cart_id, old.payment_collection_id), (new.cart_id, new.payment_collection_id))
      as cart (id, collection_id)
    cross join lateral (
      select min(opened_at) as opened_at from (
        select opened_at from ${TRANSACTION}
        where cart_id = cart.id and deleted_at is null and id <> coalesce(new.id, old.id)
        union all
        select opened_at from ${TRANSACTION}
        where payment_collection_id = cart.collection_id and cart.id is null and cart_id is not distinct from cart.id
          and deleted_at is null and id <> coalesce(new.id, old.id)
        offset 0) attempt) other) moment
  where moment.at is not null;
  return null;
end $$;`

/** The overview's figures of a day are stored until a transaction of that day changes. */
export class Migration20261122223000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_changed_moment" ("id" text not null, "at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_changed_moment_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_changed_moment_deleted_at" ON "payment_service_changed_moment" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_changed_moment_at" ON "payment_service_changed_moment" ("at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_day_figures" ("id" text not null, "since" timestamptz not null, "until" timestamptz not null, "paid" jsonb not null, "times_to_pay" jsonb not null, "carts_opened" integer not null, "carts_paid" integer not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_day_figures_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_day_figures_deleted_at" ON "payment_service_day_figures" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_day_figures_span" ON "payment_service_day_figures" ("since", "until") WHERE deleted_at IS NULL;`
    )

    this.addSql(MARK)
    const [before, after] = ["old", "new"].map((row) =>
      READ.map((column) => `${row}.${column}`).join(", ")
    )
    this.addSql(
      `create or replace trigger payment_service_mark_changed after update of ${READ.join(", ")} on ${TRANSACTION} for each row when ((${before}) is distinct from (${after})) execute function payment_service_mark_changed();`
    )
    this.addSql(
      `create or replace trigger payment_service_mark_opened after insert or delete on ${TRANSACTION} for each row execute function payment_service_mark_changed();`
    )
  }

  override async down(): Promise<void> {
    for (const trigger of ["changed", "opened"]) {
      this.addSql(`drop trigger if exists payment_service_mark_${trigger} on ${TRANSACTION};`)
    }
    this.addSql(`drop function if exists payment_service_mark_changed();`)
    this.addSql(`drop table if exists "payment_service_changed_moment" cascade;`)

    this.addSql(`drop table if exists "payment_service_day_figures" cascade;`)
  }
}
