import { mkdir, rename, rm } from "node:fs/promises"
import path from "node:path"

const projectRoot = path.dirname(__dirname)

/** Puts what `medusa build --admin-only` has built where `medusa start` looks for it. */
export async function publishBuiltDashboard(): Promise<void> {
  const served = path.join(projectRoot, "public", "admin")
  await rm(served, { recursive: true, force: true })
  await mkdir(path.dirname(served), { recursive: true })
  await rename(path.join(projectRoot, ".medusa", "admin"), served)
}
