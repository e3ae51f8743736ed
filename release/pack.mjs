// Builds the plugin and the packages beside it, and packs each as npm publishes it: `node release/pack.mjs <folder>`.
import { execFileSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { withAbsoluteLinks } from "./absolute-links.mjs"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
const plugin = manifestIn(".")
const npm = (words, cwd) =>
  execFileSync("npm", words, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  })

/** The owner's fields, which are filled in once, in the root's package.json. */
export const OWNER = ["repository", "homepage", "bugs", "author"]

/** @returns {{ missing: string[], names: string[] }} what of OWNER is not filled in, and the packages in order of publishing */
export function describeRelease() {
  return {
    missing: OWNER.filter((field) => !plugin[field]),
    names: [plugin, ...plugin.workspaces.map(manifestIn)].map(({ name }) => name),
  }
}

/** The paths that are staged of the plugin, and of the packages beside it. `files` in package.json says which of them are packed. */
const STAGED = [
  ".medusa/server/src",
  "docs",
  "CHANGELOG.md",
  "SECURITY.md",
  "README.md",
  "README.ru.md",
]
const STAGED_BESIDE = ["dist", "README.md"]

/** @param {string} folder where the .tgz files come to be */
export function packAll(folder) {
  npm(["run", "build"], root)
  const owner = Object.fromEntries(OWNER.map((field) => [field, plugin[field]]))
  for (const where of [".", ...plugin.workspaces]) {
    const manifest = manifestIn(where)
    if (manifest.version !== plugin.version) {
      throw new Error(`${manifest.name} is ${manifest.version}, and the plugin ${plugin.version}.`)
    }
    const staged = mkdtempSync(join(tmpdir(), "pack-"))
    try {
      for (const file of where === "." ? STAGED : STAGED_BESIDE) {
        cpSync(join(root, where, file), join(staged, file), { recursive: true })
      }
      cpSync(join(root, "LICENSE"), join(staged, "LICENSE"))
      const pages = readdirSync(staged, { recursive: true }).filter((file) => file.endsWith(".md"))
      for (const page of pages) {
        const text = readFileSync(join(staged, page), "utf8")
        const folder = join(where, dirname(page)).replaceAll("\\", "/")
        writeFileSync(join(staged, page), withAbsoluteLinks(text, plugin, folder))
      }
      writeFileSync(
        join(staged, "package.json"),
        `${JSON.stringify({ ...manifest, ...owner }, null, 2)}\n`
      )
      npm(["pack", "--ignore-scripts", "--pack-destination", folder], staged)
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
