import { generateEntityId } from "@medusajs/framework/utils"

import { columnsAndValues, join, jsonb, sql, Statements } from "../../database/sql"
import { writingEvent } from "../../database/outbox"
import type { SettingsRow } from "../../modules/payment-service/tables"
import { type MerchantAccount, merchantAccountId } from "../../payments/rules/merchant-account"
import { MERCHANT_ACCOUNT_OF_ROW } from "../../payments/statements/rules-in-sql"

export const SETTINGS_CHANGED = "payment_service.settings_changed"

/** A secret as it is kept: sealed, with who set it and when. */
export interface SealedSecret {
  sealed: string
  at: string
  by_name: string
}

export type NewSettings = Pick<SettingsRow, "account" | "version" | "by" | "by_name"> & {
  options: Record<string, unknown>
  secrets: Record<string, SealedSecret>
}

/** How payments of a merchant account stand that a change of its address or merchant would concern. */
export interface PaymentsAt {
  /** Payments that are not final yet. */
  in_flight: number
  was_paid: boolean
}

/** The saves of the page Settings. */
export class SettingsList extends Statements {
  /** Changes with each save; empty while nothing was saved. The number tells of one whose clock was behind. */
  async newest(): Promise<string> {
    const [{ newest }] = await this.run<[{ newest: string }]>`
      select coalesce(max(id) || count(*), '') as newest from payment_service_settings`
    return newest
  }

  /** The saves in the order in which they were made, the last ones of many. */
  async all(most = 1_000): Promise<SettingsRow[]> {
    const rows = await this.run<SettingsRow[]>`
      select * from payment_service_settings order by at desc, version desc limit ${most}`
    return rows.reverse()
  }

  /**
   * Adds a save with its event.
   *
   * @returns false when somebody else has saved this version
   */
  async add(settings: NewSettings, event: object): Promise<boolean> {
    const at = this.clock.now()
    const columns = {
      id: generateEntityId("", "psset"),
      ...settings,
      options: jsonb(settings.options),
      secrets: jsonb(settings.secrets),
      at,
    }
    const written = writingEvent(
      { name: SETTINGS_CHANGED, data: jsonb(event), at },
      sql`from saved`
    )
    const saved = await this.run<unknown[]>`
      with saved as (
        insert into payment_service_settings ${columnsAndValues(columns)} on conflict do nothing returning id),
      told as (${written})
      select id from saved`
    return saved.length > 0
  }

  /** Writes secrets that were sealed with another key; what they are stays the same. */
  async replaceSecrets(id: string, secrets: Record<string, SealedSecret>): Promise<void> {
    await this
      .run`update payment_service_settings set secrets = ${jsonb(secrets)}, updated_at = now() where id = ${id}`
  }

  /** The payments of merchant accounts, by `merchantAccountId`; those without any are left out. */
  async paymentsAt(merchants: MerchantAccount[]): Promise<Map<string, PaymentsAt>> {
    if (!merchants.length) return new Map()
    const rows = await this.run<(PaymentsAt & { id: string })[]>`
      select ${MERCHANT_ACCOUNT_OF_ROW} as id, count(*) filter (where t.watch_at is not null)::int as in_flight,
        bool_or(t.paid_at is not null) as was_paid
      from payment_service_transaction t
      where t.deleted_at is null and ${MERCHANT_ACCOUNT_OF_ROW} in (${join(merchants.map(merchantAccountId))})
      group by 1`
    return new Map(rows.map(({ id, ...payments }) => [id, payments]))
  }
}
