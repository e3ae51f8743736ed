// The last step of the plugin's build: takes away what Medusa's compiler leaves and no store needs. Stack traces of a store name
// the compiled files, because source maps without their sources help nobody.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

import { transform } from "esbuild"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const server = join(root, ".medusa/server")
const ts = createRequire(import.meta.url)("typescript")

// The pages are built twice. Vite bundles the ES module, but Medusa looks for the styles' names in files called .js only.
const pages = join(server, "src/admin")
const { code: smaller } = await transform(readFileSync(join(pages, "index.mjs"), "utf8"), {
  format: "esm",
  minify: true,
})
rmSync(join(pages, "index.mjs"))
writeFileSync(join(pages, "index.js"), smaller)
writeFileSync(join(pages, "package.json"), '{ "type": "module" }\n')

const built = readdirSync(join(server, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
/** The paths that `exports` opens, as patterns. */
const opened = Object.values(exports)
  .filter((target) => typeof target === "string" && target.endsWith(".js"))
  .map((target) => join(root, target.replace(/\.js$/, ".d.ts")).split("*"))
const isOpened = (file) =>
  opened.some(([before, after]) =>
    after === undefined ? file === before : file.startsWith(before) && file.endsWith(after)
  )

/** The types that a shop's code can reach, and those that these import. */
const publicTypes = new Set(built.filter(isOpened))
for (const file of publicTypes) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"))
  for (const { fileName } of importedFiles.filter(({ fileName }) => fileName.startsWith("."))) {
    const path = join(dirname(file), fileName)
    const found = [`${path}.d.ts`, join(path, "index.d.ts")].find((each) => built.includes(each))
    if (found) publicTypes.add(found)
  }
}

for (const file of built) {
  if (file.endsWith(".js.map") || (file.endsWith(".d.ts") && !publicTypes.has(file))) rmSync(file)
  else if (file.endsWith(".js") && !file.startsWith(pages)) {
    // Comments are for readers of the sources, and were an eighth of the package. Those of the types stay.
    const { code } = await transform(readFileSync(file, "utf8"), { legalComments: "none" })
    writeFileSync(file, code)
  }
}
