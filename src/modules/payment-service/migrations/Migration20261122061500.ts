import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The numbers of payments opened at the service: by cart, by payer, by address and in total. */
export class Migration20261122061500 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_creation_count" ("id" text not null, "since" timestamptz not null, "count" integer not null, "logged_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_creation_count_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_creation_count_deleted_at" ON "payment_service_creation_count" ("deleted_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_creation_count" cascade;`)
  }
}
