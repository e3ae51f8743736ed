import type { WatcherPass } from "../inside/watcher-pass"
import type { Benchmark, Figure } from "../figure"
import type { Database, Stand } from "../stand"
import { rounded } from "../statistics"

/** See `READS_AT_ONCE` of the queue. */
const AT_ONCE = 8
/** As far away as a service in another city. */
const LATENCY_MS = 50

/** Whether a store with many open payments keeps up with them, all callbacks lost. */
export const watcherPass: Benchmark = {
  name: "watcher-pass",
  title: "One watcher pass",
  async run(stand, { quick }) {
    const count = quick ? 500 : 10_000
    return [await passOver(stand, await stand.database(), { figure: "watcher_pass", count })]
  },
}

/**
 * One pass over so many open payments.
 *
 * @param among how many payments the store has besides
 */
export async function passOver(
  stand: Stand,
  database: Database,
  { figure, count, among = 0 }: { figure: string; count: number; among?: number }
): Promise<Figure> {
  const { seconds, calls, latencyMs, cpuSeconds } = await stand.inside<WatcherPass>(
    "watcher-pass",
    database,
    { count, latencyMs: LATENCY_MS, run: String(among) }
  )
  const ideal = (calls * latencyMs) / 1000 / AT_ONCE
  return {
    figure,
    value: rounded(seconds),
    unit: "s",
    yardstick: "calls x latency / 8",
    yardstick_value: rounded(ideal),
    ratio: rounded(seconds / ideal),
    samples: count,
    measured:
      `one pass of the watcher over ${count} open payments${among ? ` among ${among} others` : ""} in a booted app ` +
      `(medusa exec), ${AT_ONCE} at a time, the simulator answering after ${LATENCY_MS} ms; its latency is the ` +
      "median that bare axios sees, before and after the pass",
    details: {
      calls,
      latency_ms: rounded(latencyMs),
      per_second: rounded(count / seconds),
      store_cpu_ms_per_payment: rounded((cpuSeconds * 1000) / count),
    },
  }
}
