import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

/**
 * Calls back when the `npm run` that started this process is gone. npm passes signals on, but when it
 * is killed itself nobody tells us, and the shell that it put between us stays.
 */
export function whenNpmIsGone(callBack: () => void): void {
  const npm = npmAmongAncestors()
  if (npm === undefined) return
  const watch = setInterval(() => {
    if (isNpm(npm)) return
    clearInterval(watch)
    callBack()
  }, 1000)
  watch.unref()
}

function npmAmongAncestors(): number | undefined {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return undefined
  let ancestor: number | undefined = process.ppid
  for (let generation = 0; ancestor && ancestor > 1 && generation < 3; generation++) {
    if (isNpm(ancestor)) return ancestor
    ancestor = describe(ancestor)?.parent
  }
  return undefined
}

function isNpm(pid: number): boolean {
  // npm changes its title from "node …/npm-cli.js run demo" to this.
  return /^npm\b/.test(describe(pid)?.command ?? "")
}

function describe(pid: number): { parent: number; command: string } | undefined {
  try {
    if (process.platform === "linux") {
      const status = readFileSync(`/proc/${pid}/status`, "utf8")
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8")
      return { parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), command }
    }
    const row = execFileSync("ps", ["-o", "ppid=,command=", "-p", String(pid)], {
      encoding: "utf8",
    })
    const [, parent, command = ""] = /^\s*(\d+)\s+(.*)/.exec(row) ?? []
    return { parent: Number(parent), command }
  } catch {
    return undefined // no such process
  }
}
