import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import { MedusaError } from "@medusajs/framework/utils"

import { LONGEST_LEASED_WORK_MS } from "../../settlement/timing"
import { type RunSql, sql } from "./sql"

/**
 * Postgres answers a statement that returns this before it is on disk, which saves most of its time. When Postgres
 * itself crashes, the last leases may be lost, and end early as they do when a renewal fails.
 */
const UNFLUSHED = sql`set_config('synchronous_commit', 'off', true)`

/**
 * Runs `work` and calls `renew` regularly meanwhile, for at most `longestMs`, because work that takes longer hangs. No
 * renewal is under way when this returns.
 */
export async function whileRenewing<T>(
  everyMs: number,
  renew: () => Promise<void>,
  work: () => Promise<T>,
  longestMs = LONGEST_LEASED_WORK_MS
): Promise<T> {
  let renewing = Promise.resolve()
  const began = Date.now()
  const renewal = setInterval(() => {
    if (Date.now() - began > longestMs) {
      clearInterval(renewal)
      return
    }
    renewing = renew()
  }, everyMs)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await renewing
  }
}

/** How a lease ends by itself, in milliseconds: `ttlMs` after its holder has died, and after `longestMs` if its work hangs. */
interface LeaseTimes {
  ttlMs: number
  /** `LONGEST_LEASED_WORK_MS` unless given. */
  longestMs?: number
}

/**
 * The work that is under way right now, across all instances of a store: rows of `payment_service_lease`, on the
 * database's clock. A lease is renewed while its work goes on and ends by itself after its holder died or
 * hangs.
 *
 * The locks of the plugin, in the order in which one may be taken while another is held: the leases `watcher`,
 * `reconciliation` and `subscriptions`, `session:<order or collection>`, `open:<collection>`, `read:<row>` (released before Medusa is
 * touched), then Medusa's lock of the cart, order or collection (`target-lock.ts`), then the lease
 * `refund:<row>`. While the lease `listing:<question>` is held, no other is taken. Two locks of Postgres itself last for one
 * transaction: the limits of payouts (`payouts.ts`) and a day's figures (`day-figures.ts`). A table in CONTRIBUTING says what each guards, who takes it, and what ends it when its holder
 * died.
 *
 * The times of these locks that depend on each other stand in `settlement/timing.ts`.
 */
export class Leases {
  constructor(private readonly run: RunSql) {}

  /**
   * Runs `work` while nobody else, on any instance, holds the lease of this name.
   *
   * @throws MedusaError `UNEXPECTED_STATE` when it is not free within `waitMs`
   */
  async hold<T>(
    name: string,
    { waitMs, ...times }: LeaseTimes & { waitMs: number },
    work: () => Promise<T>
  ): Promise<T> {
    const holder = randomUUID()
    const giveUpAt = Date.now() + waitMs
    for (
      let pause = 20;
      !(await this.take(name, holder, times.ttlMs));
      pause = Math.min(pause * 1.5, 250)
    ) {
      if (Date.now() >= giveUpAt) {
        throw new MedusaError(
          MedusaError.Types.UNEXPECTED_STATE,
          "This payment is being looked at right now. Please try again in a moment."
        )
      }
      await sleep(pause * (0.5 + Math.random()))
    }
    try {
      return await this.whileHeld(name, holder, times, work)
    } finally {
      // A shopper need not wait for this: whoever wants the lease next waits for it as for the work.
      void this.drop(name, holder)
    }
  }

  /** Runs `work` unless somebody holds the lease of this name; does not wait for it. */
  async tryHold(name: string, times: LeaseTimes, work: () => Promise<void>): Promise<void> {
    const holder = randomUUID()
    if (await this.take(name, holder, times.ttlMs)) {
      try {
        await this.whileHeld(name, holder, times, work)
      } finally {
        await this.drop(name, holder)
      }
    }
  }

  /** Whether anybody, on any instance, holds the lease of this name. */
  async isHeld(name: string): Promise<boolean> {
    const held = await this.run<unknown[]>(
      sql`select id from payment_service_lease where id = ${name} and until >= now()`
    )
    return held.length > 0
  }

  private async whileHeld<T>(
    name: string,
    holder: string,
    { ttlMs, longestMs }: LeaseTimes,
    work: () => Promise<T>
  ): Promise<T> {
    return await whileRenewing(
      ttlMs / 3,
      // When a renewal fails, the lease may end early, as it does when a holder dies.
      () => this.renew(name, holder, ttlMs).catch(() => undefined),
      work,
      longestMs
    )
  }

  private async take(name: string, holder: string, ttlMs: number): Promise<boolean> {
    const taken = await this.run<unknown[]>(
      sql`insert into payment_service_lease as lease (id, holder, until)
       values (${name}, ${holder}, now() + (${ttlMs} * interval '1 millisecond'))
       on conflict (id) do update set holder = excluded.holder, until = excluded.until
       where lease.until < now()
       returning id, ${UNFLUSHED}`
    )
    return taken.length > 0
  }

  private async renew(name: string, holder: string, ttlMs: number): Promise<void> {
    await this.run(
      sql`update payment_service_lease set until = now() + (${ttlMs} * interval '1 millisecond')
       where id = ${name} and holder = ${holder} returning ${UNFLUSHED}`
    )
  }

  /** Never throws: a lease that cannot be dropped ends by itself, and the work is done all the same. */
  private async drop(name: string, holder: string): Promise<void> {
    await this.run(
      sql`delete from payment_service_lease where id = ${name} and holder = ${holder} returning ${UNFLUSHED}`
    ).catch(() => undefined)
  }
}
