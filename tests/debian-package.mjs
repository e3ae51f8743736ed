import { spawn } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"
import { delimiter, join } from "node:path"

/** Path of the first of these programs that is on the PATH. */
export function findProgram(names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const candidate = join(folder, name)
      try {
        accessSync(candidate, constants.X_OK)
        return candidate
      } catch {
        // not here
      }
    }
  }
  return undefined
}

/** apt-get works on one thing at a time. */
let installing = Promise.resolve(true)

/**
 * Installs a package of Debian's when we are allowed to.
 *
 * @param {string} name
 * @param {string} purpose what it is for, as in "the browser tests"
 * @param {(message: string) => void} report
 * @param {AbortSignal} signal stops apt-get
 * @returns {Promise<boolean>} whether it is installed now
 */
export function installDebianPackage(name, purpose, report, signal) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return Promise.resolve(false)
  installing = installing.then(async () => {
    report(`Installing ${name} for ${purpose} (apt-get install ${name})`)
    return (
      (await aptGet(["update"], report, signal)) &&
      (await aptGet(["install", "--yes", "--no-install-recommends", name], report, signal))
    )
  })
  return installing
}

function aptGet(args, report, signal) {
  return new Promise((resolve) => {
    let output = ""
    const child = spawn("apt-get", ["-qq", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      signal,
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text))
    }
    child.once("error", () => resolve(false))
    child.once("close", (code) => {
      if (code !== 0) report(`apt-get ${args[0]} failed:\n${output.trimEnd()}`)
      resolve(code === 0)
    })
  })
}
