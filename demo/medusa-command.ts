import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const projectRoot = path.dirname(__dirname)
const shownOnFailure = 25
const longestStartMs = 120_000

type MedusaCommand = {
  /** Of the process; undefined when it could not be started. */
  pid: number | undefined
  /** Settles with the exit code when the process ended, whoever ended it. */
  ended: Promise<number>
  /** The end of what it said, for an error message. */
  lastWords: () => string
  stop: () => Promise<void>
}

/**
 * Starts Medusa's command line in this repository, or in a store's `folder` inside of it. What it says
 * goes to a file, and to stderr when `verbose`; stdout belongs to the demo's own report.
 */
export function startMedusa(
  args: string[],
  options: { env: NodeJS.ProcessEnv; logFile: string; verbose: boolean; folder?: string }
): MedusaCommand {
  const child = spawn(
    process.execPath,
    [
      "--require",
      path.join(__dirname, "exit-with-parent.cjs"),
      path.join(projectRoot, "node_modules", "@medusajs", "cli", "cli.js"),
      ...args,
    ],
    {
      cwd: options.folder ?? projectRoot,
      env: options.env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // A process group of its own: Ctrl-C reaches the demo only, which then stops things in order.
      detached: true,
      windowsHide: true,
    }
  )
  const log = createWriteStream(options.logFile, { flags: "a" })
  let said: string[] = []
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", (text: string) => {
      log.write(text)
      if (options.verbose) process.stderr.write(text)
      said = [...said, ...text.split("\n")].filter((line) => line.trim()).slice(-shownOnFailure)
    })
  }
  const ended = Promise.race([
    once(child, "close").then(([code]) => (typeof code === "number" ? code : 1)),
    once(child, "error").then(() => 1),
  ]).finally(() => log.end())

  return {
    pid: child.pid,
    ended,
    lastWords: () => said.join("\n"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGTERM")
      const impatient = setTimeout(() => killGroup(child.pid), 8000)
      await ended
      clearTimeout(impatient)
    },
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    // Negative: the group, which holds only this process and what it started itself.
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL")
  } catch {
    // gone in the meantime
  }
}

/** Waits until a store answers at its health address. */
export async function whenHealthy(address: string, lookEveryMs: number): Promise<void> {
  const deadline = Date.now() + longestStartMs
  while (Date.now() < deadline) {
    const healthy = await fetch(address).then(
      (response) => response.ok,
      () => false
    )
    if (healthy) return
    await sleep(lookEveryMs)
  }
  throw new Error(`The Medusa store does not answer at ${address}.`)
}
