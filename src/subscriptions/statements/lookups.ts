import { writingEvent } from "../../database/outbox"
import { join, jsonb, sql, Statements } from "../../database/sql"
import type { Accounts, ConfiguredMerchant } from "../../settings/accounts"

const SUBSCRIPTION_UPDATED = "payment_service.subscription_updated"

/** The approximate limit of ids that wait for their first answer, so that a flood of ids does not fill the store. */
export const MOST_WAITING = 1_000
/** The service is asked for one id in this time, on all instances together. */
export const TURN_MS = 1_000
/** An id is due again after this long if the asking process dies. */
const RETRY_AFTER_MS = 60_000

export interface ClaimedLookup {
  id: string
  /** The time of its last callback. */
  named_at: Date
  /** Earlier attempts without an answer. */
  tries: number
  /** The merchant (`merchantAccountId`) of the subscription, if it is known. */
  merchant: string | null
  /** The merchants for which the service does not know the id. */
  unknown_to: string[]
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

/**
 * Remembers ids that callbacks name, as part of a statement in which `clock.now` is the time and `hinted` has our transactions that were
 * named. A new id waits three seconds, because it may be a transaction whose creation is still being answered.
 */
export const namingSubscriptions = (ids: string[]) =>
  sql`insert into payment_service_subscription_lookup as known (id, named_at, due_at, unknown_to)
  select named.id, clock.now, clock.now + interval '3 seconds', '[]'::jsonb
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

/** The row of `payment_service_silence` that says until when no id is asked for: until the turn is over, or longer. */
export const TURN = "subscriptions"

/** Ids from callbacks that may be subscriptions, and the service's answers for them. */
export class SubscriptionLookups extends Statements {
  /**
   * Takes the turn and the next id that is due, or neither. Known subscriptions come first, so that a flood of others does not delay
   * them. Of two instances at once, the second one waits for the row of the turn, and sees then that it is taken.
   */
  async claimDue(): Promise<ClaimedLookup | null> {
    const now = this.clock.now()
    const after = (ms: number) => new Date(now.getTime() + ms)
    const [lookup] = await this.run<ClaimedLookup[]>`
      with turn as (
        insert into payment_service_silence as silence (id, since, unanswered, paused_until)
        select ${TURN}, ${now}, 0, ${after(TURN_MS)}
        where exists (select 1 from payment_service_subscription_lookup where ${isLookupDue(now)})
        on conflict (id) do update set paused_until = excluded.paused_until where silence.paused_until <= ${now}
        returning id)
      update payment_service_subscription_lookup set due_at = ${after(RETRY_AFTER_MS)}
      where exists (select 1 from turn) and id = (
        select id from payment_service_subscription_lookup where ${isLookupDue(now)}
        order by found_at is null, due_at, id limit 1 for update skip locked)
      returning id, named_at, tries, merchant, unknown_to, exists (
        select 1 from payment_service_transaction t
        where lower(t.transaction_id) = payment_service_subscription_lookup.id and t.deleted_at is null) as is_transaction`
    return lookup ?? null
  }

  /** Records a subscription of this merchant, with its event in one statement. A callback since the claim makes it due again. */
  async recordFound(
    { id, named_at }: ClaimedLookup,
    merchant: string,
    subscription: Record<string, unknown>
  ): Promise<void> {
    const now = this.clock.now()
    await this.run`
      with found as (
        update payment_service_subscription_lookup set found_at = coalesce(found_at, ${now}),
          merchant = ${merchant}, unknown_to = '[]'::jsonb, tries = 0, updated_at = now(),
          due_at = case when named_at = ${named_at} then null else ${now}::timestamptz end
        where id = ${id})
      ${writingEvent({ name: SUBSCRIPTION_UPDATED, data: jsonb(subscription), at: now })}`
  }

  /** Records that it is no subscription of this merchant. One that has answered before stays known, and is asked for again. */
  async recordUnknown(
    { id, unknown_to, named_at }: ClaimedLookup,
    merchant: string,
    isOneLeft: boolean
  ): Promise<void> {
    await this.run`update payment_service_subscription_lookup set tries = 0, updated_at = now(),
        merchant = case when found_at is null then null else merchant end,
        unknown_to = case when found_at is null then ${jsonb([...unknown_to, merchant])} else '[]'::jsonb end,
        due_at = case when found_at is null and ${isOneLeft} then ${this.clock.now()}::timestamptz
          when found_at is not null and named_at <> ${named_at} then ${this.clock.now()}::timestamptz end
      where id = ${id}`
  }

  /** Puts off an id that got no answer. `allMs` is the pause for all ids, if the service answers nothing; else it is 0. */
  async putOff({ id }: ClaimedLookup, ownMs: number, allMs: number): Promise<void> {
    const now = this.clock.now()
    const after = (ms: number) => new Date(now.getTime() + ms)
    await this.run`
      with paused as (
        update payment_service_silence set paused_until = greatest(paused_until, ${after(allMs)}) where id = ${TURN})
      update payment_service_subscription_lookup set due_at = ${after(ownMs)}, tries = tries + 1, updated_at = now()
      where id = ${id}`
  }

  /** Forgets an id that need not be asked for: of a transaction of ours, or while no merchant is left to ask. */
  async forget({ id }: ClaimedLookup): Promise<void> {
    await this.run`delete from payment_service_subscription_lookup where id = ${id}`
  }
}
