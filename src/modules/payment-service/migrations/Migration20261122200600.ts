import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The reasons of a transaction's exception are stored as facts instead of an English sentence. */
export class Migration20261122200600 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "exception_reasons" jsonb null;`
    )
    // An older sentence is shown as it was written.
    this.addSql(
      `update "payment_service_transaction" set "exception_reasons" = jsonb_build_array(jsonb_build_object('code', 'other', 'detail', "exception_reason")) where "exception_reason" is not null;`
    )
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "exception_reason";`
    )
    this.addSql(
      `update "payment_service_problem" set "facts" = ("facts" - 'reason') || jsonb_build_object('reasons', case when "facts" ->> 'reason' is null then '[]'::jsonb else jsonb_build_array("facts" -> 'reason') end) where "facts" ->> 'exception' is not null and "facts" -> 'reasons' is null;`
    )
  }

  override async down(): Promise<void> {
    const inWords = (reasons: string) =>
      `(select string_agg(coalesce(one ->> 'detail', one::text), '; ') from jsonb_array_elements(${reasons}) one)`
    this.addSql(
      `update "payment_service_problem" set "facts" = ("facts" - 'reasons') || jsonb_build_object('reason', case when "facts" -> 'reasons' = '[]' then 'null'::jsonb when "facts" #>> '{reasons,0,code}' is not null then "facts" #> '{reasons,0}' else jsonb_build_object('code', 'other', 'detail', ${inWords(`"facts" -> 'reasons'`)}) end) where "facts" -> 'reasons' is not null;`
    )
    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "exception_reason" text null;`
    )
    this.addSql(
      `update "payment_service_transaction" set "exception_reason" = ${inWords(`"exception_reasons"`)} where "exception_reasons" is not null;`
    )
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "exception_reasons";`
    )
  }
}
