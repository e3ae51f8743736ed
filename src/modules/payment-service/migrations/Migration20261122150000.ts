import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** A payment that Medusa has taken has not failed, but earlier versions could record both when two settles ran together. */
export class Migration20261122150000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `update "payment_service_transaction" set "exception" = null, "exception_reason" = null, "exception_at" = null, "apply_attempts" = 0, "apply_after" = null where "settled_at" is not null and "exception" = 'completion_failed';`
    )
  }

  override async down(): Promise<void> {
    // The removed values are not missed.
  }
}
