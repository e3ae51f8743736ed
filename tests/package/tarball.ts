import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import path from "node:path"
import { promisify } from "node:util"

import { onceInARun } from "../once-in-a-run"

const run = promisify(execFile)
const root = path.resolve(__dirname, "../..")

/**
 * The package as npm publishes it. It is packed once in a test run: a build begins by emptying the folder that
 * another one may be writing to.
 *
 * @returns path of the .tgz file, which is deleted with the run
 */
export async function packedPackage(): Promise<string> {
  return await onceInARun("packed", async (folder) => {
    await run("npm", ["pack", "--silent", "--pack-destination", folder], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    })
    const name = readdirSync(folder).find((file) => file.endsWith(".tgz"))
    if (!name) throw new Error("There is no .tgz file.")
    return path.join(folder, name)
  })
}
