import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

import * as fc from "fast-check"

import { Violation } from "./processes"
import { type Story, story } from "./stories"

/** Always the same stories, so that it is found each time, within few of them. */
const SEEDS = [1, 5, 3, 7]
const RUNS_OF_A_SEED = 1_000

/** The story that broke a rule the last time, by the name of the test. Whatever is not there is searched for. */
const FOUND = join(__dirname, "broken-by.json")

/** A story of fast-check's: what it is told by, and which one of those. */
interface Place {
  seed: number
  path: string
}

/**
 * Expects that one of these stories breaks a rule. The one that did so before is told first. With
 * `REMEMBER=1` those that were found by a search are written down.
 */
export async function expectViolation(
  tell: (story: Story) => Promise<void>,
  stories = story
): Promise<void> {
  const check = async (parameters: fc.Parameters<[Story]>) =>
    await fc.check(
      fc.asyncProperty(stories, (each) => tell(each)),
      { numRuns: RUNS_OF_A_SEED, endOnFailure: true, ...parameters }
    )
  const { testPath, currentTestName } = expect.getState()
  const name = `${basename(testPath ?? "", ".test.ts")}: ${currentTestName}`
  const before = found()[name]
  let broken = before ? await check({ ...before, numRuns: 1 }) : null
  for (const seed of SEEDS) {
    if (broken?.failed) break
    broken = await check({ seed })
    if (broken.counterexamplePath && process.env.REMEMBER) {
      remember(name, { seed, path: broken.counterexamplePath })
    }
  }
  expect(broken?.failed ? broken.errorInstance : null).toBeInstanceOf(Violation)
}

function found(): Record<string, Place> {
  return JSON.parse(readFileSync(FOUND, "utf8")) as Record<string, Place>
}

function remember(name: string, place: Place): void {
  const all = Object.entries({ ...found(), [name]: place }).sort(([one], [other]) =>
    one < other ? -1 : 1
  )
  writeFileSync(FOUND, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
}
