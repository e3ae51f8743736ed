import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import { refusedPayment } from "../refusals/refused"
import type { RunSql } from "./sql"

/** Work under a lease that takes longer is hanging and may be taken over. */
export const LONGEST_LEASED_WORK_MS = 10 * 60_000

/** Runs `work`, and `renew` regularly for at most `longestMs`, because longer work hangs. Neither runs when this returns. */
export async function whileRenewing<T>(
  everyMs: number,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
  longestMs = LONGEST_LEASED_WORK_MS
): Promise<T> {
  let renewing: Promise<unknown> = Promise.resolve()
  const began = Date.now()
  const renewal = setInterval(() => {
    if (Date.now() - began > longestMs) clearInterval(renewal)
    else renewing = renew()
  }, everyMs)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await renewing
  }
}

/** A lease is for a single job, which is a comparison or a look at an order's money, or for opening a payment. */
type LeaseName = "reconciliation" | `follow:${string}` | `opening:${string}`

/** When a lease expires: `ttlMs` after its holder died, `longestMs` (or `LONGEST_LEASED_WORK_MS`) after its beginning if its work hangs. */
interface LeaseTimes {
  ttlMs: number
  longestMs?: number
}

/** The work that is running now, across all instances, on the database's clock. `docs/architecture.md` has a table of all locks. */
export class Leases {
  constructor(private readonly run: RunSql) {}

  /** Runs `work` while it alone, across all instances, holds the lease of this name. */
  async hold<T>(
    name: LeaseName,
    { waitMs, ...times }: LeaseTimes & { waitMs: number },
    work: () => Promise<T>
  ): Promise<T> {
    const giveUpAt = Date.now() + waitMs
    for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
      const held = await this.holdIfFree(name, times, work)
      if (held) return held.result
      if (Date.now() >= giveUpAt) throw refusedPayment("busy")
      await sleep(pause * (0.5 + Math.random()))
    }
  }

  async isHeld(name: LeaseName): Promise<boolean> {
    const held = await this.run<unknown[]>`
      select id from payment_service_lease where id = ${name} and until >= now()`
    return held.length > 0
  }

  /** Runs `work` if the lease of this name is free, without waiting for it; else returns null. */
  async holdIfFree<T>(
    name: LeaseName,
    { ttlMs, longestMs }: LeaseTimes,
    work: () => Promise<T>
  ): Promise<{ result: T } | null> {
    const holder = randomUUID()
    const taken = await this.run<unknown[]>`
      insert into payment_service_lease as lease (id, holder, until)
      values (${name}, ${holder}, now() + (${ttlMs} * interval '1 millisecond'))
      on conflict (id) do update set holder = excluded.holder, until = excluded.until
      where lease.until < now()
      returning id`
    if (!taken.length) return null
    const renew = () =>
      this.run`
        update payment_service_lease set until = now() + (${ttlMs} * interval '1 millisecond')
        where id = ${name} and holder = ${holder}`.catch(() => undefined)
    try {
      return { result: await whileRenewing(ttlMs / 3, renew, work, longestMs) }
    } finally {
      // A lease that cannot be dropped expires.
      const dropping = this.run`
        delete from payment_service_lease where id = ${name} and holder = ${holder}`
      await dropping.catch(() => undefined)
    }
  }
}
