import { cp, rm } from "node:fs/promises"
import path from "node:path"

const projectRoot = path.dirname(__dirname)

/** Puts a dashboard that `medusa build --admin-only` has built where `medusa start` looks for it. */
export async function publishBuiltDashboard(folder: string): Promise<void> {
  const served = path.join(projectRoot, "public", "admin")
  await rm(served, { recursive: true, force: true })
  await cp(folder, served, { recursive: true })
}
