import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

type Outcome<T> = { made: T } | { error: string }

/**
 * Makes something that several test files need. Each of them is a process of its own: the first one to come makes it, and
 * the others wait for it.
 *
 * @param make gets an empty folder, which is deleted with the run
 * @returns what `make` returned, as JSON
 * @throws Error in each of the files, when it failed in the first
 */
export async function onceInARun<T>(
  name: string,
  make: (folder: string) => Promise<T>
): Promise<T> {
  const run = process.env.TEST_RUN_FOLDER
  if (!run) throw new Error("jest-setup.ts has made no folder for this run.")
  const folder = path.join(run, name)
  const done = `${folder}.json`
  if (isFirst(folder)) {
    const outcome: Outcome<T> = await make(folder).then(
      (made) => ({ made }),
      (error: unknown) => ({ error: reasonOf(error) })
    )
    // Written under another name first, so that nobody reads half of it.
    writeFileSync(`${done}.new`, JSON.stringify(outcome))
    renameSync(`${done}.new`, done)
  }
  while (!existsSync(done)) await sleep(100)
  const outcome = JSON.parse(readFileSync(done, "utf8")) as Outcome<T>
  if ("error" in outcome) throw new Error(`${name} could not be made:\n${outcome.error}`)
  return outcome.made
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

function reasonOf(error: unknown): string {
  const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
  return [String(error), stdout, stderr].join("\n")
}
