#!/usr/bin/env node
import { spawnSync } from "node:child_process"
import path from "node:path"

const SCRIPTS = ["prepare-removal", "reseal-settings", "erase-payer"]

/** Run in the store's folder: `npx medusa-payment-sbp-crypto <script> [arguments]` is `medusa exec` with a script of this folder. */
const [name = "", ...args] = process.argv.slice(2)
if (SCRIPTS.includes(name)) {
  const medusa = require.resolve("@medusajs/cli/cli.js", { paths: [process.cwd()] })
  const words = [medusa, "exec", path.join(__dirname, `${name}.js`), ...args]
  process.exitCode = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1
} else {
  process.stderr.write(`Name a script: ${SCRIPTS.join(", ")}.\n`)
  process.exitCode = 1
}
