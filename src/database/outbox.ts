import { generateEntityId } from "@medusajs/framework/utils"

import { empty, sql, type Sql, Statements } from "./sql"

export const UNSENT = sql`send_at is not null and deleted_at is null`

/** SQL that writes an event, which may be sent from `at` on, for each row of `from`; without that, one event. */
export const writingEvent = (
  event: { id?: Sql; name: string; data: Sql; at: Date | Sql },
  from = empty
) => {
  const { id = sql`${generateEntityId("", "psevt")}::text`, name, data, at } = event
  return sql`insert into payment_service_event (id, name, data, written_at, send_at)
    select ${id}, ${name}, ${data} || jsonb_build_object('id', ${id}), ${at}, ${at} ${from}`
}

/** The events of a sender that died are due again after this long. */
const RETRY_AFTER_MS = 60_000

/** Events that were written with the change that they report; sent at least once, always with the same id. */
export class Outbox extends Statements {
  async claimDue(limit: number) {
    const now = this.clock.now()
    return await this.run<{ id: string; name: string; data: { id: string } }[]>`
      update payment_service_event set send_at = ${new Date(now.getTime() + RETRY_AFTER_MS)}
      where id in (
        select id from payment_service_event where ${UNSENT} and send_at <= ${now}
        order by send_at limit ${limit} for update skip locked)
      returning id, name, data`
  }

  async markSent(id: string): Promise<void> {
    await this.run`update payment_service_event set send_at = null where id = ${id}`
  }
}
