// `npm run demo`, from a clean clone. The demo itself is run-demo.ts.
import { loadTypeScript } from "../tests/load-typescript.mjs"
import { choosePorts } from "./ports.mjs"

const usage = `npm run demo                starts a shop, its dashboard and a stand-in for the Payment Service
npm run demo -- --json      the same, and tells about it in one line of JSON
npm run demo -- --verbose   the same, and shows what the Medusa store logs
npm run demo -- --reset     forgets the data of earlier starts first
npm run demo -- --empty     a new shop without an account: set up SBP and crypto in its dashboard
npm run demo -- --no-history   begins without the week of payments that a new shop has

PORT (9000), STOREFRONT_PORT (8000), SIMULATOR_PORT (7070)   where to listen
PAYMENT_SERVICE_URL         a Payment Service to use instead of the simulator
DATABASE_URL                a Postgres database to use instead of the embedded one`

const flags = new Set(process.argv.slice(2))
const known = ["--json", "--verbose", "--reset", "--empty", "--no-history", "--help"]

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
  const ports = await choosePorts({ simulator: !process.env.PAYMENT_SERVICE_URL })

  const { runDemo } = await loadTypeScript("demo/run-demo.ts", 0)
  await runDemo({
    ports,
    json: flags.has("--json"),
    verbose: flags.has("--verbose"),
    // An empty shop is a new one each time, with data of its own.
    reset: flags.has("--reset") || flags.has("--empty"),
    empty: flags.has("--empty"),
    history: !flags.has("--empty") && !flags.has("--no-history"),
  })
}
