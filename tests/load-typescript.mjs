// Plain Node without dependencies, because it installs them.
import { createRequire } from "node:module"
import { join } from "node:path"
import { linkAdmin } from "../admin/link.mjs"
import { installPackages, projectRoot, unsupportedNode } from "./install-packages.mjs"

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"]

/**
 * Loads a TypeScript file of the project in a clean clone: whatever is missing is installed first, and an
 * interruption meanwhile ends npm, too.
 *
 * @param {string} file from the project's root
 * @param {number} interruptedCode what the process exits with when it is interrupted
 * @returns {Promise<any>} what the file exports
 */
export async function loadTypeScript(file, interruptedCode) {
  const tooOld = unsupportedNode()
  if (tooOld) throw new Error(tooOld)

  const interrupted = new AbortController()
  const interrupt = () => {
    interrupted.abort()
    process.exit(interruptedCode)
  }
  for (const signal of SIGNALS) process.once(signal, interrupt)
  await installPackages(console.error, interrupted.signal)
  linkAdmin()
  for (const signal of SIGNALS) process.off(signal, interrupt)

  process.chdir(projectRoot)
  const require = createRequire(import.meta.url)
  // Types are checked by `npm run check`, not at every start.
  require("ts-node").register({ project: join(projectRoot, "tsconfig.json"), transpileOnly: true })
  return require(join(projectRoot, file))
}
