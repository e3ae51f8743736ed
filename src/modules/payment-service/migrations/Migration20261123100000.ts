import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const INDEX = "IDX_payment_service_transaction"

/** The columns of a completion's mark get names of their own. */
export class Migration20261123100000 extends Migration {
  override async up(): Promise<void> {
    this.renameColumn("placing_at", "completion_began_at")
    this.renameColumn("placing_of", "completion")
    this.renameIndex("placing_at", "completion_began_at")
  }

  override async down(): Promise<void> {
    this.renameColumn("completion_began_at", "placing_at")
    this.renameColumn("completion", "placing_of")
    this.renameIndex("completion_began_at", "placing_at")
  }

  private renameColumn(from: string, to: string): void {
    this.addSql(
      `alter table if exists "payment_service_transaction" rename column "${from}" to "${to}";`
    )
  }

  private renameIndex(from: string, to: string): void {
    this.addSql(`alter index if exists "${INDEX}_${from}" rename to "${INDEX}_${to}";`)
  }
}
