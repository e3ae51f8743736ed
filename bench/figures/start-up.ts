import type { Benchmark } from "../figure"
import type { RunningStore } from "../stand"
import { median, rounded } from "../statistics"

/** The cost of having the plugin before anybody pays. */
export const startUp: Benchmark = {
  name: "start-up",
  title: "Start of the store with and without the plugin",
  async run(stand, { quick }) {
    const rounds = quick ? 1 : 3
    const databases = { with: await stand.database(), without: await stand.database() }
    const taken = { with: [] as RunningStore[], without: [] as RunningStore[] }
    for (let round = 0; round <= rounds; round++) {
      // Each goes first as often as the other.
      const order = round % 2 ? (["with", "without"] as const) : (["without", "with"] as const)
      for (const variant of order) {
        const store = await stand.startStore(databases[variant], {
          withoutPlugin: variant === "without",
        })
        await store.stop()
        // The first start of each fills the system's cache of files.
        if (round > 0) taken[variant].push(store)
      }
    }

    const of = (stores: RunningStore[], what: "startMs" | "memoryMb") =>
      stores.map((store) => store[what])
    const how = `median of ${rounds} starts each in turns; \`medusa start\`, NODE_ENV=production, dashboard off`
    const figure = (what: "startMs" | "memoryMb") => {
      const [value, yardstick] = [median(of(taken.with, what)), median(of(taken.without, what))]
      return {
        value: rounded(value),
        yardstick: "the same store without the plugin",
        yardstick_value: rounded(yardstick),
        ratio: rounded(value / yardstick),
        samples: rounds,
        details: {
          added: rounded(value - yardstick),
          least: rounded(Math.min(...of(taken.with, what))),
          most: rounded(Math.max(...of(taken.with, what))),
          yardstick_least: rounded(Math.min(...of(taken.without, what))),
          yardstick_most: rounded(Math.max(...of(taken.without, what))),
        },
      }
    }
    return [
      {
        figure: "start_up_time",
        unit: "ms",
        measured: `from the start of the process until /health answers 200: ${how}`,
        ...figure("startMs"),
      },
      {
        figure: "start_up_memory",
        unit: "MB",
        measured: `resident memory of the process when /health answers 200: ${how}`,
        ...figure("memoryMb"),
      },
    ]
  },
}
