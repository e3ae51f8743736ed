import { execFile } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

const run = promisify(execFile)
const root = path.resolve(__dirname, "../..")

/**
 * The package as npm publishes it. It is packed once in a test run: a build begins by emptying the folder that
 * another one may be writing to.
 *
 * @returns path of the .tgz file, which is deleted with the run
 */
export async function packedPackage(): Promise<string> {
  const folder = process.env.TEST_RUN_FOLDER
  if (!folder) throw new Error("jest-setup.ts has made no folder for this run.")
  const done = path.join(folder, "packed.json")
  if (isFirst(path.join(folder, "packing"))) {
    const outcome = await pack(folder).catch((error: unknown) => ({ error: reasonOf(error) }))
    // Written under another name first, so that nobody reads half of it.
    writeFileSync(`${done}.new`, JSON.stringify(outcome))
    renameSync(`${done}.new`, done)
  }
  while (!existsSync(done)) await sleep(100)
  const outcome = JSON.parse(readFileSync(done, "utf8")) as { tarball?: string; error?: string }
  if (!outcome.tarball) throw new Error(`npm pack failed:\n${outcome.error ?? ""}`)
  return outcome.tarball
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

async function pack(folder: string): Promise<{ tarball: string }> {
  await run("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  const name = readdirSync(folder).find((file) => file.endsWith(".tgz"))
  if (!name) throw new Error("There is no .tgz file.")
  return { tarball: path.join(folder, name) }
}

function reasonOf(error: unknown): string {
  const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
  return [String(error), stdout, stderr].join("\n")
}
