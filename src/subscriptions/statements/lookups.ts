import { writingEvent } from "../../database/outbox"
import { join, jsonb, sql, Statements } from "../../database/sql"
import type { Accounts, ConfiguredMerchant } from "../../settings/accounts"

/** The approximate limit of ids that wait for their first answer, so that a flood of ids does not fill the store. */
export const MOST_WAITING = 1_000
/** A claimed id without an answer, also after its process died, is due again after this long. */
const RETRY_AFTER_MS = 60_000

export interface Lookup {
  id: string
  named_at: Date
  /** Whether a transaction of ours has this id by now. */
  is_transaction: boolean
}

export const isLookupDue = (now: Date) => sql`due_at <= ${now} and deleted_at is null`

/** The merchants for which the service is asked about ids from callbacks: those with `subscriptions.callbacks`. */
export function lookupMerchants(accounts: Accounts): ConfiguredMerchant[] {
  return accounts
    .merchantAccounts()
    .filter((merchant) => merchant.accounts.some(({ subscriptions }) => subscriptions.callbacks))
}

/** The ids of a callback that may be subscriptions: none while the option is off, and never a merchant's own id. */
export function possibleSubscriptions(accounts: Accounts, ids: string[]): string[] {
  if (!lookupMerchants(accounts).length) return []
  const merchants = accounts.merchantAccounts().map(({ merchantId }) => merchantId.toLowerCase())
  return ids.filter((id) => !merchants.includes(id))
}

/** Part of a statement: remembers ids that callbacks name. A new one waits 3 s: it may be a transaction that is being opened. */
export const namingSubscriptions = (ids: string[]) =>
  sql`insert into payment_service_subscription_lookup as known (id, named_at, due_at)
  select named.id, clock.now, clock.now + interval '3 seconds'
  from clock, (values ${join(ids.map((id) => sql`(${id})`))}) named (id)
  where named.id not in (select lower(transaction_id) from hinted) and (
    (select count(*) from (select 1 from payment_service_subscription_lookup
      where due_at is not null and found_at is null and deleted_at is null limit ${MOST_WAITING}) waiting) < ${MOST_WAITING}
    or exists (select 1 from payment_service_subscription_lookup one where one.id = named.id))
  order by named.id
  on conflict (id) do update set named_at = excluded.named_at,
    due_at = case when known.found_at is null then known.due_at
      else least(known.due_at, excluded.named_at) end
  where known.found_at is not null or known.due_at is not null`

export class SubscriptionLookups extends Statements {
  /**
   * Claims a due id, if it is the whole store's turn: it comes again after a second for each merchant that is asked. Known
   * subscriptions are claimed first, so that a flood of other ids does not delay them.
   */
  async claimDue(accounts: Accounts): Promise<Lookup | null> {
    const calls = lookupMerchants(accounts).length
    if (!calls) return null
    const now = this.clock.now()
    const [lookup] = await this.run<Lookup[]>`
      with first as (
        select id from payment_service_subscription_lookup where ${isLookupDue(now)}
        order by found_at is null, due_at, id limit 1),
      turn as (
        insert into payment_service_lease as lease (id, holder, until)
        select 'subscriptions', id, now() + ${calls} * interval '1 second' from first
        on conflict (id) do update set holder = excluded.holder, until = excluded.until
        where lease.until < now()
        returning holder)
      update payment_service_subscription_lookup lookup
      set due_at = ${new Date(now.getTime() + RETRY_AFTER_MS)}, updated_at = now()
      from turn where lookup.id = turn.holder
      returning lookup.id, lookup.named_at, exists (
        select 1 from payment_service_transaction t
        where lower(t.transaction_id) = lookup.id and t.deleted_at is null) as is_transaction`
    return lookup ?? null
  }

  /** Records a subscription, with its event in one statement. A callback since the question makes it due again. */
  async recordFound({ id, named_at }: Lookup, data: object): Promise<void> {
    const at = this.clock.now()
    await this.run`
      with found as (
        update payment_service_subscription_lookup set found_at = coalesce(found_at, ${at}), updated_at = now(),
          due_at = case when named_at = ${named_at} then null else ${at}::timestamptz end
        where id = ${id})
      ${writingEvent({ name: "payment_service.subscription_updated", data: jsonb(data), at })}`
  }

  /** Records that it is no subscription. One that has answered before is asked for again at its next callback since the question. */
  async recordUnknown({ id, named_at }: Lookup): Promise<void> {
    await this.run`
      update payment_service_subscription_lookup set updated_at = now(),
        due_at = case when found_at is not null and named_at <> ${named_at} then ${this.clock.now()}::timestamptz end
      where id = ${id}`
  }
}
