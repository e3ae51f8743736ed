import * as fc from "fast-check"

import { type Story, story } from "./commands"
import { Violation } from "./processes"

/** Always the same stories, so that it is found each time, within few of them. */
const MOST_RUNS = 8_000
const SEED = 1

/** Whatever is wrong with how these stories are told, one of them breaks a rule. */
export async function expectViolation(tell: (story: Story) => Promise<void>): Promise<void> {
  const found = await fc.check(
    fc.asyncProperty(story, (each) => tell(each)),
    { numRuns: MOST_RUNS, seed: SEED, endOnFailure: true }
  )
  expect(found.failed).toBe(true)
  expect(found.errorInstance).toBeInstanceOf(Violation)
}
