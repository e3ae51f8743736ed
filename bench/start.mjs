// `npm run bench`, from a clean clone. The benchmarks themselves are in run-bench.ts.
import { parseArgs } from "node:util"
import { loadTypeScript } from "../tests/load-typescript.mjs"

const usage = `npm run bench                      measures every figure; one JSON line each on stdout, then a table
npm run bench -- --quick           with few samples: shows that it works, its numbers mean little
npm run bench -- --only <name>     only this one; may be given several times
npm run bench -- --rows <number>   dashboard with so many payments instead of 300,000,
                                   export-files with so many records instead of 1,000,000

initiate-payment, callback-to-order, paid-orders, forged-callbacks, watcher-pass, dashboard, export-files,
idle-store, start-up`

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function main() {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      rows: { type: "string" },
      help: { type: "boolean", default: false },
    },
  })
  if (values.help) return console.log(usage)
  const { runBench } = await loadTypeScript("bench/run-bench.ts", 130)
  const rows = values.rows === undefined ? undefined : Number(values.rows)
  if (rows !== undefined && !(Number.isInteger(rows) && rows > 1)) {
    throw new Error("--rows must be a whole number of payments.")
  }
  process.exit(await runBench({ ...values, rows }))
}
