import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"

/** On what the figures were measured; call it before anything of ours runs. */
export function describeMachine(): string {
  const [load = 0] = loadavg()
  return (
    `${availableParallelism()} cores, Node ${process.versions.node}; \`medusa start\` and \`medusa exec\` with ` +
    `NODE_ENV=production, the plugin as built. Load of the machine before: ${load.toFixed(1)}`
  )
}

/** Memory that the system holds for a process, in MB. */
export function memoryOf(pid: number | undefined): number {
  if (pid === undefined) throw new Error("The process was not started.")
  return kilobytes(pid) / 1024
}

function kilobytes(pid: number): number {
  if (process.platform === "linux") {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1])
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }))
}
