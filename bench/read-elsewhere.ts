import { fork } from "node:child_process"
import { once } from "node:events"
import path from "node:path"

import type { ExportReading, ExportToRead } from "./export-reading"

const projectRoot = path.dirname(__dirname)

/** Reads an export in a process of its own. */
export async function readElsewhere(task: ExportToRead): Promise<ExportReading> {
  const child = fork(path.join(__dirname, "export-reading.ts"), {
    cwd: projectRoot,
    execArgv: ["--expose-gc", "--require", "ts-node/register/transpile-only"],
  })
  child.send(task)
  const [reading] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => {
      throw new Error("The process that reads ended before it had read.")
    }),
  ])) as [ExportReading]
  return reading
}
