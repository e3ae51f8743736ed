import * as fc from "fast-check"

import { type Story, story } from "./stories"
import { Violation } from "./processes"

/** Always the same stories, so that it is found each time, within few of them. */
const SEEDS = [1, 5, 3]
const RUNS_OF_A_SEED = 1_000

/** Whatever is wrong with how these stories are told, one of them breaks a rule. */
export async function expectViolation(
  tell: (story: Story) => Promise<void>,
  stories = story
): Promise<void> {
  let error: unknown = null
  for (const seed of SEEDS) {
    error ??= (
      await fc.check(
        fc.asyncProperty(stories, (each) => tell(each)),
        { numRuns: RUNS_OF_A_SEED, seed, endOnFailure: true }
      )
    ).errorInstance
  }
  expect(error).toBeInstanceOf(Violation)
}
