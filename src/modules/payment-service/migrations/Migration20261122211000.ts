import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Copies of the service's own list, in which admins search. The table is unlogged, because a lost copy can be fetched again. */
export class Migration20261122211000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create unlogged table if not exists "payment_service_listed_record" ("id" text not null, "listing_id" text not null, "record_id" text not null, "recorded_at" text null, "amount" text not null, "currency" text not null, "status" text not null, "method" text null, "description" text null, "payload" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_listed_record_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_listed_record_deleted_at" ON "payment_service_listed_record" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_listed_record_listing" ON "payment_service_listed_record" ("listing_id", "recorded_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_listing" ("id" text not null, "question" text not null, "asked_at" timestamptz not null, "fetched_at" timestamptz null, "warning" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_listing_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_listing_deleted_at" ON "payment_service_listing" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_listing_question" ON "payment_service_listing" ("question", "fetched_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_listed_record" cascade;`)

    this.addSql(`drop table if exists "payment_service_listing" cascade;`)
  }
}
