import { spawn } from "node:child_process"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../..")

/** Makes the tables of a store of this repository; search indexes are of no use in tests. */
export async function migrate(url: string, env: Record<string, string> = {}): Promise<void> {
  const said: string[] = []
  const program = path.join(ROOT, "node_modules", "@medusajs", "cli", "cli.js")
  const steps = ["--execute-safe-links", "--skip-scripts", "--skip-search"]
  const command = spawn(process.execPath, [program, "db:migrate", ...steps], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url, REDIS_URL: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  for (const output of [command.stdout, command.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => said.push(text))
  }
  const code = await new Promise((resolve) => command.once("close", resolve))
  if (code !== 0) throw new Error(`The database could not be migrated:\n${said.join("")}`)
}
