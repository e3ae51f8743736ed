import * as fc from "fast-check"

import type * as Replaceable from "./replaceable"
import { tell } from "./run"
import { storyWithOrderPayouts, storyWithPayouts } from "./stories"

jest.mock("../../src/settlement/decide", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/decide")
)

const RUNS = Number(process.env.RUNS ?? 300)
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

describe("whatever happens to payouts, in whatever order", () => {
  it.each([
    ["for problems", storyWithPayouts],
    ["for orders, too", storyWithOrderPayouts],
  ])(
    `each is made once, as it was approved, and pays back no more than came in, %s (${RUNS} stories)`,
    async (_, story) => {
      await fc.assert(
        fc.asyncProperty(story, (each) => tell(each)),
        { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }) }
      )
    },
    30 * 60_000
  )
})
