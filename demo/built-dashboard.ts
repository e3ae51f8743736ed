import { cp, mkdir, readFile, rename, rm } from "node:fs/promises"
import path from "node:path"

const projectRoot = path.dirname(__dirname)

/**
 * Puts a dashboard that `medusa build --admin-only` has built where `medusa start` looks for it. Several demos of this folder may begin
 * or run at the same time, so one that is there already stays, and another one takes its place as a whole.
 */
export async function publishBuiltDashboard(folder: string): Promise<void> {
  const served = path.join(projectRoot, "public", "admin")
  // The names of all scripts, which change with what is in them, stand in it.
  const pageOf = (one: string) => readFile(path.join(one, "index.html"), "utf8").catch(() => null)
  if ((await pageOf(served)) === (await pageOf(folder))) return
  const [copy, before] = ["new", "old"].map((age) =>
    path.join(projectRoot, ".medusa", `dashboard-${age}-${process.pid}`)
  ) as [string, string]
  await mkdir(path.dirname(served), { recursive: true })
  await cp(folder, copy, { recursive: true })
  await rename(served, before).catch(() => undefined)
  // Another demo may have been faster with the same.
  await rename(copy, served).catch(() => undefined)
  for (const left of [copy, before]) await rm(left, { recursive: true, force: true })
}
