import { spawn, type ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, chmod, stat, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"

/** Enough for the whole test run with its write-ahead log, and some room for others. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3

export type RunningPostgres = {
  host: "localhost"
  port: number
  user: "postgres"
  password: string
  /** Connection string of a database; `postgres` always exists. */
  url: (database?: string) => string
  /** Settles when Postgres ended, whoever ended it. */
  ended: Promise<void>
  /** Waits until Postgres has ended; a temporary one is deleted. */
  stop: () => Promise<void>
}

/**
 * Starts an embedded Postgres on a free port of this machine. It ends with this process at the latest.
 *
 * @param options where it keeps its data between starts, whether to forget what is there, and what else
 * is to be set as in postgresql.conf; without them the data is temporary and not safe from a power cut,
 * but fast
 */
export async function startPostgres(options?: {
  folder: string
  password: string
  reset?: boolean
  settings?: Record<string, string>
}): Promise<RunningPostgres> {
  const folder = options?.folder ?? (await mkdtemp(path.join(await fastFolder(), "postgres-")))
  // mkdtemp lets only ourselves in; the data folder inside is closed by Postgres.
  if (!options) await chmod(folder, 0o755)
  const password = options?.password ?? randomBytes(12).toString("hex")

  const argument = JSON.stringify({
    folder,
    temporary: options === undefined,
    reset: options?.reset,
    settings: options?.settings,
  })
  const server = spawn(process.execPath, [path.join(__dirname, "server.mjs"), argument], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
    windowsHide: true,
    // Flags such as --inspect are meant for the process that we serve.
    env: { ...process.env, POSTGRES_PASSWORD: password, NODE_OPTIONS: "" },
  })
  const ended = once(server, "exit").then(() => undefined)
  const port = await portOf(server)

  return {
    host: "localhost",
    port,
    user: "postgres",
    password,
    url: (database = "postgres") => `postgres://postgres:${password}@localhost:${port}/${database}`,
    ended,
    stop: async () => {
      server.stdin.end()
      await ended
    },
  }
}

async function portOf(server: ChildProcess): Promise<number> {
  if (!server.stdout) throw new Error("Postgres was started without an output to read.")
  for await (const line of createInterface(server.stdout)) {
    const message = JSON.parse(line) as { port?: number; error?: string }
    if (message.port) return message.port
    throw new Error(message.error ?? "Postgres gave no port.")
  }
  throw new Error("Postgres ended before it was ready.")
}

/**
 * A temporary folder in memory, where there is enough of it: each test begins with a copy of a database,
 * thousands of files, which takes a tenth of the time there.
 */
export async function fastFolder(): Promise<string> {
  const folder = "/dev/shm"
  const space = await statfs(folder).catch(() => null)
  const isLarge = space !== null && space.bavail * space.bsize >= MEMORY_NEEDED_BYTES
  return isLarge && (await everyoneCanEnter(folder)) ? folder : await temporaryFolder()
}

/** A temporary folder that another user can enter too: as root, Postgres runs as another user. */
export async function temporaryFolder(): Promise<string> {
  if (process.getuid?.() !== 0) return tmpdir()
  for (const candidate of [tmpdir(), "/tmp", "/var/tmp"]) {
    if (await everyoneCanEnter(candidate)) return candidate
  }
  return tmpdir()
}

async function everyoneCanEnter(folder: string): Promise<boolean> {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const mode = await stat(current).then(
      (found) => found.mode,
      () => 0
    )
    if (!(mode & 0o001)) return false
    if (path.dirname(current) === current) return true
  }
}
