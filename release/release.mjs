// `npm run release`: packs all packages, tries them in shops of their own (`npm run test:release`), and stops before publishing.
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { installPackages, projectRoot } from "../tests/install-packages.mjs"
import { describeRelease, packAll } from "./pack.mjs"

const folder = join(projectRoot, "dist")
await installPackages(console.error)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
packAll(folder)

const { status } = spawnSync(process.execPath, ["tests/run.mjs", "--release"], {
  cwd: projectRoot,
  stdio: "inherit",
  // The files that were tried are published, byte by byte.
  env: { ...process.env, PACKED_FOLDER: folder },
})
if (status !== 0) {
  console.error("Nothing is published: the tests of the packages fail.")
  process.exit(1)
}

const { missing, names } = describeRelease()
if (missing.length > 0) {
  console.error(
    `package.json lacks ${missing.join(", ")}. Fill in what is missing and run this again: it is copied to all packages, ` +
      "and npm refuses --provenance without a repository."
  )
  process.exit(1)
}
console.log("All packages are tried. Publish them, in a pipeline that npm gives a provenance to:\n")
for (const name of names) {
  const file = readdirSync(folder).find((each) => each.replace(/-\d.*$/, "") === name)
  console.log(`  npm publish ${join("dist", file ?? name)} --provenance --access public`)
}
