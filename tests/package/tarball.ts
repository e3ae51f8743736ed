import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import path from "node:path"
import { promisify } from "node:util"

import { onceInARun } from "../once-in-a-run"

const run = promisify(execFile)
const root = path.resolve(__dirname, "../..")

export const PLUGIN = "medusa-payment-sbp-crypto"
export const SIMULATOR = `${PLUGIN}-simulator`
export const STOREFRONT = `${PLUGIN}-storefront`

/**
 * A package as npm publishes it. All are packed once in a test run: a build begins by emptying the folder that
 * another one may be writing to.
 *
 * @returns path of the .tgz file, which is deleted with the run
 */
export async function packedPackage(name: string): Promise<string> {
  // A release tries what it has packed itself.
  const folder =
    process.env.PACKED_FOLDER ??
    (await onceInARun("packed", async (empty) => {
      await run(process.execPath, [path.join(root, "release/pack.mjs"), empty], {
        maxBuffer: 64 * 1024 * 1024,
      })
      return empty
    }))
  const file = readdirSync(folder).find(
    (each) => each.endsWith(".tgz") && each.replace(/-\d.*$/, "") === name
  )
  if (!file) throw new Error(`There is no .tgz file of ${name}.`)
  return path.join(folder, file)
}
