import { generateEntityId } from "@medusajs/framework/utils"

import { columnsAndValues, jsonb, sql, Statements } from "../../database/sql"
import { writingEvent } from "../../database/outbox"
import type { SettingsRow as Row } from "../../modules/payment-service/tables"
import { MERCHANT_ACCOUNT_OF_ROW, WATCHED } from "../../payments/statements/rules-in-sql"

export const SETTINGS_CHANGED = "payment_service.settings_changed"

interface SealedSecret {
  sealed: string
  /** The address of the service for which it was typed; null for a secret that is not sent there. */
  sent_to: string | null
  at: string
  by_name: string
}

export type SettingsRow = Omit<Row, "secrets"> & { secrets: Record<string, SealedSecret> }

export type Save = Pick<SettingsRow, "account" | "options" | "secrets">

export class SettingsList extends Statements {
  /** Changes with each save; empty while nothing was saved. The number tells of one whose clock was behind. */
  async newest(): Promise<string> {
    const [{ newest }] = await this.run<[{ newest: string }]>`
      select coalesce(max(id) || count(*), '') as newest from payment_service_settings`
    return newest
  }

  /** All saves in the order in which they were made: for the page, and once after each change. */
  async all(): Promise<SettingsRow[]> {
    return await this.run`select * from payment_service_settings order by version`
  }

  /** Adds a save with its event. False when somebody else has saved meanwhile, for any account: each is judged with all others. */
  async add(
    settings: Save & Pick<SettingsRow, "version" | "by" | "by_name">,
    event: object
  ): Promise<boolean> {
    const at = this.clock.now()
    const columns = {
      id: generateEntityId("", "psset"),
      ...settings,
      options: jsonb(settings.options),
      secrets: jsonb(settings.secrets),
      at,
    }
    const told = { name: SETTINGS_CHANGED, data: jsonb(event), at }
    const saved = await this.run<unknown[]>`
      with saved as (
        insert into payment_service_settings ${columnsAndValues(columns)} on conflict do nothing returning id),
      told as (${writingEvent(told, sql`from saved`)})
      select id from saved`
    return saved.length > 0
  }

  /** The accounts by which anybody has paid, or was paid, at each merchant account (`merchantAccountId`). */
  async paidAt(): Promise<{ merchant: string; account: string }[]> {
    return await this.run`
      select distinct ${MERCHANT_ACCOUNT_OF_ROW} as merchant, t.account from (
        select account, merchant_id, base_url from payment_service_transaction
          where paid_at is not null and deleted_at is null
        union all select account, merchant_id, base_url from payment_service_payout
          where sent_at is not null and deleted_at is null) t`
  }

  /** The number of payments that are not final yet, by `merchantAccountId`. */
  async inFlight(): Promise<Map<string, number>> {
    const rows = await this.run<{ merchant: string; count: number }[]>`
      select ${MERCHANT_ACCOUNT_OF_ROW} as merchant, count(*)::int as count
      from payment_service_transaction t where ${WATCHED} group by 1`
    return new Map(rows.map(({ merchant, count }) => [merchant, count]))
  }
}

/** The newest of these saves, which are in order, of each account. */
export const newestOf = <One extends Save>(saves: readonly One[]): One[] => [
  ...new Map(saves.map((save) => [save.account, save])).values(),
]
