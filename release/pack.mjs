// Builds the plugin and the packages beside it, and packs each as npm publishes it: `node release/pack.mjs <folder>`.
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
const plugin = manifestIn(".")
const npm = (words, cwd) =>
  execFileSync("npm", words, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  })

/** Whose package it is: filled in once, in the root's package.json. */
export const OWNER = ["repository", "homepage", "bugs", "author"]

/** @returns {{ missing: string[], names: string[] }} what of OWNER is not filled in, and the packages in order of publishing */
export function describeRelease() {
  return {
    missing: OWNER.filter((field) => !plugin[field]),
    names: [plugin, ...plugin.workspaces.map(manifestIn)].map(({ name }) => name),
  }
}

/** @param {string} folder where the .tgz files come to be */
export function packAll(folder) {
  npm(["run", "build"], root)
  const pack = (where) => npm(["pack", "--ignore-scripts", "--pack-destination", folder], where)
  pack(root)
  for (const workspace of plugin.workspaces) {
    const manifest = manifestIn(workspace)
    if (manifest.version !== plugin.version) {
      throw new Error(`${manifest.name} is ${manifest.version}, and the plugin ${plugin.version}.`)
    }
    const staged = mkdtempSync(join(tmpdir(), `pack-${workspace}-`))
    try {
      for (const file of ["dist", "README.md"]) {
        cpSync(join(root, workspace, file), join(staged, file), { recursive: true })
      }
      cpSync(join(root, "LICENSE"), join(staged, "LICENSE"))
      const owner = Object.fromEntries(OWNER.map((field) => [field, plugin[field]]))
      writeFileSync(
        join(staged, "package.json"),
        `${JSON.stringify({ ...manifest, ...owner }, null, 2)}\n`
      )
      pack(staged)
    } finally {
      rmSync(staged, { recursive: true, force: true })
    }
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? "dist")
  mkdirSync(folder, { recursive: true })
  packAll(folder)
}
