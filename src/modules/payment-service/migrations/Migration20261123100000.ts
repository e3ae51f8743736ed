import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const RENAMED = [
  ["placing_at", "completion_began_at"],
  ["placing_of", "completion"],
] as const

/** The mark of a completion has names that say what it is. */
export class Migration20261123100000 extends Migration {
  override async up(): Promise<void> {
    for (const [before, after] of RENAMED) {
      this.addSql(
        `alter table if exists "payment_service_transaction" rename column "${before}" to "${after}";`
      )
    }
    this.addSql(
      `alter index if exists "IDX_payment_service_transaction_placing_at" rename to "IDX_payment_service_transaction_completion_began_at";`
    )
  }

  override async down(): Promise<void> {
    for (const [before, after] of RENAMED) {
      this.addSql(
        `alter table if exists "payment_service_transaction" rename column "${after}" to "${before}";`
      )
    }
    this.addSql(
      `alter index if exists "IDX_payment_service_transaction_completion_began_at" rename to "IDX_payment_service_transaction_placing_at";`
    )
  }
}
