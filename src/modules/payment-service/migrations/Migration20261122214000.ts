import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Ids from callbacks that may be subscriptions; the service is asked about them. */
export class Migration20261122214000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_subscription_lookup" ("id" text not null, "named_at" timestamptz not null, "named_times" integer not null, "due_at" timestamptz null, "tries" integer not null default 0, "found_at" timestamptz null, "merchant" text null, "unknown_to" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_subscription_lookup_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_subscription_lookup_deleted_at" ON "payment_service_subscription_lookup" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_subscription_lookup_due_at" ON "payment_service_subscription_lookup" ("due_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_subscription_lookup_named_at" ON "payment_service_subscription_lookup" ("named_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_subscription_lookup" cascade;`)
  }
}
