// Runs one Redis for as long as the process that started this one lives: standard input is a pipe from
// it and ends with it, also when it was killed.
//
// Protocol: the program is the only argument; one JSON line on standard output, `{ port }` or `{ error }`.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../free-port.cjs"

const folder = mkdtempSync(join(tmpdir(), "redis-"))
let redis

for (const event of ["end", "close", "error"]) process.stdin.on(event, () => stop(0))
process.stdin.resume()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0))

const port = await freePort()
const settings = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "no" }
redis = spawn(
  process.argv[2],
  Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
  { stdio: ["ignore", "pipe", "inherit"] }
)
let said = ""
redis.stdout.setEncoding("utf8").on("data", (text) => {
  if (said === null) return
  said += text
  if (!said.includes("Ready to accept connections")) return
  said = null
  tell({ port })
})
redis.once("error", (error) => tell({ error: error.message }))
redis.once("exit", () => {
  if (said !== null) tell({ error: `Redis does not start: ${said.trim()}` })
  stop(1)
})

function tell(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

function stop(code) {
  redis?.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}
