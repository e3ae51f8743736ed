// `npm run bench`, from a clean clone. Plain Node without dependencies, because it installs them; the
// benchmarks themselves are in run-bench.ts.
import { createRequire } from "node:module"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { linkAdmin } from "../admin/link.mjs"
import { installPackages, projectRoot, unsupportedNode } from "../tests/install-packages.mjs"

const usage = `npm run bench                      measures every figure; one JSON line each on stdout, then a table
npm run bench -- --quick           with few samples: shows that it works, its numbers mean little
npm run bench -- --only <name>     only this one; may be given several times

initiate-payment, callback-to-order, callbacks-per-second, forged-callbacks, watcher-pass, start-up`

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
      help: { type: "boolean", default: false },
    },
  })
  if (values.help) return console.log(usage)
  const tooOld = unsupportedNode()
  if (tooOld) throw new Error(tooOld)

  const interrupted = new AbortController()
  const interrupt = () => {
    interrupted.abort()
    process.exit(130)
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, interrupt)
  await installPackages(console.error, interrupted.signal)
  linkAdmin()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, interrupt)

  process.chdir(projectRoot)
  const require = createRequire(import.meta.url)
  // Types are checked by `npm run check`, not at every start.
  require("ts-node").register({ project: join(projectRoot, "tsconfig.json"), transpileOnly: true })
  const { runBench } = require("./run-bench.ts")
  process.exit(await runBench(values))
}
