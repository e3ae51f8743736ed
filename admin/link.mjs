// Medusa looks for dashboard extensions only in src/admin; ours are in admin/, where the browser's tsconfig applies. The link is
// generated instead of committed, because git on Windows checks a committed link out as a text file.
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const adminFolder = dirname(fileURLToPath(import.meta.url))
const link = resolve(adminFolder, "..", "src", "admin")
const target = process.platform === "win32" ? adminFolder : join("..", "admin")

/** Makes src/admin a link to admin/, unless it already is one. */
export function linkAdmin() {
  const existing = lstatSync(link, { throwIfNoEntry: false })
  if (existing?.isSymbolicLink()) {
    if (resolve(dirname(link), readlinkSync(link)) === adminFolder) return
    rmSync(link)
  } else if (existing) {
    throw new Error(
      `${link} must not exist as a folder or file: dashboard sources belong in admin/.`
    )
  }
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(target, link, "junction")
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) linkAdmin()
