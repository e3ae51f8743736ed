import { Progress } from "../demo/progress"
import { RunningParts } from "../demo/running-parts"
import { asTable, type Benchmark, type Figure } from "./figure"
import { callbackToOrder } from "./figures/callback-to-order"
import { callbacksPerSecond } from "./figures/callbacks-per-second"
import { dashboard } from "./figures/dashboard"
import { exportFiles } from "./figures/export-files"
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
  const parts = new RunningParts()
  parts.onSignals(() => parts.stop().then(() => process.exit(130)))
  const figures: Figure[] = []
  const machine = describeMachine()
  try {
    const stand = await Stand.prepare(parts, progress)
    for (const { title, run } of chosen) {
      const measured = await progress.during(title, () => run(stand, options))
      for (const figure of measured) console.log(JSON.stringify(figure))
      figures.push(...measured)
    }
  } catch (error) {
    // Stopped by somebody: whatever failed then failed because of it.
    if (parts.isStopping) return await new Promise(() => undefined)
    progress.failed()
    console.error(error instanceof Error ? error.message : error)
    await parts.stop()
    return 1
  }
  await parts.stop()
  console.log(`\n${asTable(figures)}\n\n${machine}`)
  const failures = figures.flatMap(({ failure }) => failure ?? [])
  for (const failure of failures) console.error(`\nFailed: ${failure}`)
  return failures.length > 0 ? 1 : 0
}
