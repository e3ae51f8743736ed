import { mkdir, rename, rm, symlink } from "node:fs/promises"
import path from "node:path"

const projectRoot = path.dirname(__dirname)

/**
 * Puts a dashboard that `medusa build --admin-only` has built where `medusa start` looks for it. It is a link, which takes the place
 * of another one at once: several demos of this folder may begin or run at the same time.
 */
export async function publishBuiltDashboard(folder: string): Promise<void> {
  const served = path.join(projectRoot, "public", "admin")
  const link = `${served}-${process.pid}`
  await mkdir(path.dirname(served), { recursive: true })
  await symlink(folder, link, "dir")
  try {
    await rename(link, served)
  } catch {
    // A folder that was copied there earlier.
    await rm(served, { recursive: true, force: true })
    await rename(link, served)
  }
}
