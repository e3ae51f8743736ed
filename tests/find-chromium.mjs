import { spawn } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"
import { delimiter, join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** Path of the browser for the browser tests: CHROMIUM_PATH, else the one on the PATH. */
export function findChromium() {
  const configured = process.env.CHROMIUM_PATH
  if (configured) return configured
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

/**
 * The browser, installed from Debian's packages when there is none and we are allowed to.
 *
 * @param {(message: string) => void} report
 * @param {AbortSignal} signal stops apt-get
 */
export async function provideChromium(report, signal) {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined
  report("Installing Chromium for the browser tests (apt-get install chromium)")
  const installed =
    (await aptGet(["update"], report, signal)) &&
    (await aptGet(["install", "--yes", "--no-install-recommends", "chromium"], report, signal))
  return installed ? findChromium() : undefined
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
