import { empty, sql, type Sql } from "./sql"

/** For `hinting`: polls leave reading these transactions to the caller. */
export const CLAIM_POLL = sql`, poll_claimed_at = clock.now`

/**
 * Makes transactions due in five seconds, as `hint` does. It is part of a statement in which `clock.now` is the time.
 */
export const hinting = (condition: Sql, andSet = empty) =>
  sql`update payment_service_transaction set hinted_at = clock.now,
    -- The watch that was planned before it settled does not count any more.
    watch_at = case when settled_at is not null and exception is null
        and coalesce(hinted_at <= settled_at, true)
      then clock.now + interval '5 seconds'
      else least(coalesce(watch_at, clock.now + interval '5 seconds'), clock.now + interval '5 seconds') end
    ${andSet}
  from clock where ${condition} and deleted_at is null
  returning payment_service_transaction.*`
