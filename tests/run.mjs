// `npm test`: everything but whole other shops, from a clean clone. `npm run test:one -- <file> [jest options]`: only that.
// `npm run test:deep`: those, too, and in full what `npm test` takes a sample of.
// `npm run test:release`: the packages in shops of their own, which npm, pnpm and Next.js install and build for minutes.
// Plain Node without dependencies, because it installs them.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { linkAdmin } from "../admin/link.mjs"
import { binary, runChecks, stopChecks } from "./checks.mjs"
import { findChromium, provideChromium } from "./find-chromium.mjs"
import { findRedis, provideRedis } from "./find-redis.mjs"
import { installPackages, projectRoot, unsupportedNode } from "./install-packages.mjs"

const [mode, ...rest] = process.argv.slice(2)
const single = mode === "--one"
const deep = mode === "--deep"
const release = mode === "--release"
const jestArguments = single || deep || release ? rest : process.argv.slice(2)
/** Jest's projects with whole shops beside the store of this repository. */
const OTHER_SHOPS = ["package", "storefront"]
const projects = release
  ? ["--selectProjects", ...OTHER_SHOPS]
  : single || deep
    ? []
    : ["--ignoreProjects", ...OTHER_SHOPS]

/** A run that hangs must end too; without `--deep` it is meant to take 12 minutes on a quiet machine. */
const longestRun = (deep ? 150 : 80) * 60 * 1000

const interrupted = new AbortController()
let jest
const interrupt = () => {
  interrupted.abort()
  stopChecks()
  stopJest("SIGTERM")
  setTimeout(() => stopJest("SIGKILL"), 3000).unref()
  setTimeout(() => process.exit(130), 5000).unref()
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, interrupt)
if (process.env.npm_lifecycle_event) {
  // A SIGTERM for npm ends the shell between npm and us, and does not come further.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    interrupt()
  }, 1000)
  watch.unref()
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!interrupted.signal.aborted) console.error(error instanceof Error ? error.message : error)
  process.exitCode ||= 1
}

/** Also ends jest's workers, which otherwise outlive it while a test of theirs hangs. */
function stopJest(signal) {
  if (!jest?.pid) return
  try {
    if (process.platform === "win32") jest.kill(signal)
    else process.kill(-jest.pid, signal)
  } catch {
    // gone already
  }
}

async function main() {
  const tooOld = unsupportedNode()
  if (tooOld) throw new Error(tooOld)
  await installPackages(console.log, interrupted.signal)
  linkAdmin()

  if (single) {
    if (jestArguments.length === 0) {
      throw new Error("Name a test file: npm run test:one -- tests/quick/payments/decide.test.ts")
    }
    const { code } = await runJest({ chromium: findChromium(), redis: findRedis() })
    return code
  }

  if (release) {
    const chromium = await provideChromium(console.log, interrupted.signal)
    if (!chromium) console.log("There is no Chromium here: nobody buys in the Next.js shop.")
    const tests = await runJest({ chromium, redis: findRedis() })
    return report(tests)
  }

  // While jest prepares its database, most of the checks' time is over.
  const checks = runChecks()
  const [chromium, redis] = await Promise.all([
    provideChromium(console.log, interrupted.signal),
    provideRedis(console.log, interrupted.signal),
  ])
  if (interrupted.signal.aborted) return 130
  if (!chromium) console.log("There is no Chromium here: the browser tests are not run.")
  if (!redis)
    console.log("There is no Redis here: the tests of instances that share one are not run.")
  const tests = await runJest({ chromium, redis })
  const { passed, failed } = await checks
  if (interrupted.signal.aborted) return 130

  return report({
    failures: [...failed, ...tests.failures],
    passed: passed.length + tests.passed,
    skipped: tests.skipped,
  })
}

/** Says what came of it. @returns the exit code */
function report({ failures, passed, skipped }) {
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((f) => `  ${f}`).join("\n")}`)
  console.log(`\n${passed} passed, ${failures.length} failed, ${skipped} skipped`)
  return failures.length > 0 ? 1 : 0
}

/** @returns {Promise<{ code: number, passed: number, skipped: number, failures: string[] }>} */
async function runJest({ chromium, redis }) {
  const folder = mkdtempSync(join(tmpdir(), "test-results-"))
  const resultFile = join(folder, "results.json")
  try {
    const ended = await new Promise((resolve, reject) => {
      jest = spawn(
        process.execPath,
        [
          // Medusa loads parts of itself by import(), which jest supports only behind this flag.
          "--experimental-vm-modules",
          "--disable-warning=ExperimentalWarning",
          // Medusa's migrations use pg in a way that pg 9 will not allow; nothing we could change.
          "--disable-warning=DeprecationWarning",
          // A heap that begins small is searched for garbage, and finds none, again and again while a store is loaded.
          "--initial-heap-size=512",
          // A store makes much garbage: with more room for it, less of what is still needed is copied.
          "--max-semi-space-size=64",
          binary("jest/bin/jest.js"),
          ...projects,
          ...["--json", "--outputFile", resultFile],
          // A failing test says what is needed; a single file may say more.
          ...(single ? [] : ["--silent"]),
          // A handle that a test left open must not keep the run from ending.
          "--forceExit",
          ...jestArguments,
        ],
        {
          cwd: projectRoot,
          // A process group of its own, which can be ended as a whole.
          detached: process.platform !== "win32",
          // With --json jest reports to stderr and its result is in the file.
          stdio: ["ignore", "ignore", single ? "inherit" : "pipe"],
          env: {
            ...process.env,
            NODE_ENV: "test",
            MEDUSA_DISABLE_TELEMETRY: "true",
            ...(chromium && { CHROMIUM_PATH: chromium }),
            ...(redis && { REDIS_SERVER_PATH: redis }),
            ...(deep && { DEEP: "1" }),
          },
        }
      )
      if (jest.stderr) showWithoutMedusasLog(jest.stderr)
      jest.once("error", reject)
      // "close" and not "exit", so that nothing is shown after the final count.
      jest.once("close", (code, signal) => resolve({ code: code ?? 1, signal }))
      setTimeout(() => stopJest("SIGKILL"), longestRun).unref()
    })
    return { code: ended.code, ...summary(resultFile, ended) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Medusa's log goes past jest's --silent, thousands of lines of it. */
function showWithoutMedusasLog(output) {
  createInterface(output).on("line", (line) => {
    if (!/^\{"(level|message)":"/.test(line)) console.error(line)
  })
}

function summary(resultFile, { code, signal }) {
  let results
  try {
    results = JSON.parse(readFileSync(resultFile, "utf8"))
  } catch {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
    return { passed: 0, skipped: 0, failures: [`jest ${how} before it had results`] }
  }
  const failures = results.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === "failed")
    const where = file.name.slice(projectRoot.length + 1)
    if (failed.length > 0) return failed.map((test) => `${where}: ${test.fullName}`)
    return file.status === "failed" ? [`${where} could not be run`] : []
  })
  if (code !== 0 && failures.length === 0) failures.push(`jest ended with exit code ${code}`)
  return {
    passed: results.numPassedTests,
    skipped: results.numPendingTests + results.numTodoTests,
    failures,
  }
}
