import { Progress } from "../demo/progress"
import { Cleanup } from "./cleanup"
import { asTable, type Benchmark, type Figure } from "./figure"
import { callbackToOrder } from "./figures/callback-to-order"
import { callbacksPerSecond } from "./figures/callbacks-per-second"
import { dashboard } from "./figures/dashboard"
import { exportFiles } from "./figures/export-files"
import { exportReader } from "./figures/export-reader"
import { forgedCallbacks } from "./figures/forged-callbacks"
import { idleStore } from "./figures/idle-store"
import { initiatePayment } from "./figures/initiate-payment"
import { paidOrders } from "./figures/paid-orders"
import { startUp } from "./figures/start-up"
import { watcherPass } from "./figures/watcher-pass"
import { describeMachine } from "./machine"
import { Stand } from "./stand"

const BENCHMARKS: Benchmark[] = [
  initiatePayment,
  callbackToOrder,
  paidOrders,
  callbacksPerSecond,
  forgedCallbacks,
  watcherPass,
  exportReader,
  dashboard,
  exportFiles,
  idleStore,
  startUp,
]

/** @returns the exit code: 1 when something failed, or when a figure says that it must not be so */
export async function runBench(options: {
  quick: boolean
  only: string[]
  rows?: number
}): Promise<number> {
  const unknown = options.only.find((name) => !BENCHMARKS.some((one) => one.name === name))
  if (unknown) {
    const names = BENCHMARKS.map(({ name }) => name).join(", ")
    throw new Error(`There is no figure ${unknown}; there are ${names}.`)
  }
  const chosen = BENCHMARKS.filter(
    ({ name }) => !options.only.length || options.only.includes(name)
  )
  const progress = new Progress(process.stderr)
  const cleanup = new Cleanup()
  const figures: Figure[] = []
  const machine = describeMachine()
  try {
    let stand: Stand | undefined
    for (const benchmark of chosen) {
      let run: () => Promise<Figure[]>
      if (benchmark.withoutStand) {
        run = () => benchmark.run(options)
      } else {
        const prepared = (stand ??= await Stand.prepare(cleanup, progress))
        run = () => benchmark.run(prepared, options)
      }
      const measured = await progress.during(benchmark.title, run)
      for (const figure of measured) console.log(JSON.stringify(figure))
      figures.push(...measured)
    }
  } catch (error) {
    // Stopped by somebody: whatever failed then failed because of it.
    if (cleanup.signal.aborted) return await new Promise(() => undefined)
    progress.failed()
    console.error(error instanceof Error ? error.message : error)
    await cleanup.stop()
    return 1
  }
  await cleanup.stop()
  console.log(`\n${asTable(figures)}\n\n${machine}`)
  const failures = figures.flatMap(({ failure }) => failure ?? [])
  for (const failure of failures) console.error(`\nFailed: ${failure}`)
  return failures.length > 0 ? 1 : 0
}
