// Compiles the storefront's components into the package, as ES modules beside Medusa's build, which is CommonJS and not for
// browsers. `"use client"` stays the first line of the files that have it.
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = dirname(fileURLToPath(import.meta.url))
const built = join(folder, "../.medusa/server/src/storefront")

mkdirSync(built, { recursive: true })
execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve("typescript/bin/tsc"), "-p", folder],
  { stdio: "inherit" }
)
writeFileSync(join(built, "package.json"), '{ "type": "module", "sideEffects": false }\n')
