// `npm run demo`, from a clean clone. Plain Node without dependencies, because it installs them; the
// demo itself is run-demo.ts.
import { createRequire } from "node:module"
import { join } from "node:path"
import { linkAdmin } from "../admin/link.mjs"
import { installPackages, projectRoot, unsupportedNode } from "../tests/install-packages.mjs"
import { choosePorts } from "./ports.mjs"

const usage = `npm run demo                starts a shop, its dashboard and a stand-in for the Payment Service
npm run demo -- --json      the same, and tells about it in one line of JSON
npm run demo -- --verbose   the same, and shows what the Medusa store logs
npm run demo -- --reset     forgets the data of earlier starts first

PORT (9000), STOREFRONT_PORT (8000), SIMULATOR_PORT (7070)   where to listen
PAYMENT_SERVICE_URL         a Payment Service to use instead of the simulator
DATABASE_URL                a Postgres database to use instead of the embedded one`

const flags = new Set(process.argv.slice(2))
const known = ["--json", "--verbose", "--reset", "--help"]

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function main() {
  const unknown = [...flags].find((flag) => !known.includes(flag))
  if (unknown) throw new Error(`${unknown} is not an option of the demo.\n\n${usage}`)
  if (flags.has("--help")) return console.log(usage)
  const tooOld = unsupportedNode()
  if (tooOld) throw new Error(tooOld)

  const ports = await choosePorts({ simulator: !process.env.PAYMENT_SERVICE_URL })

  const interrupted = new AbortController()
  const interrupt = () => {
    interrupted.abort()
    process.exit(0)
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, interrupt)
  await installPackages(console.error, interrupted.signal)
  linkAdmin()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, interrupt)

  process.chdir(projectRoot)
  const require = createRequire(import.meta.url)
  // Types are checked by `npm run check`, not at every start.
  require("ts-node").register({ project: join(projectRoot, "tsconfig.json"), transpileOnly: true })
  const { runDemo } = require("./run-demo.ts")
  await runDemo({
    ports,
    json: flags.has("--json"),
    verbose: flags.has("--verbose"),
    reset: flags.has("--reset"),
  })
}
