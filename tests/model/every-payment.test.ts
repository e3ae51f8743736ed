import * as fc from "fast-check"

import { story } from "./stories"
import type * as Replaceable from "./replaceable"
import { tell } from "./run"

jest.mock("../../src/settlement/decide", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/decide")
)

/** A few hundred stories with every `npm test`; as many as one likes with `npm run test:model`. */
const RUNS = Number(process.env.RUNS ?? 300)
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

describe("whatever happens, in whatever order", () => {
  it(
    `every payment ends in one order, an open problem or a closed one (${RUNS} stories)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(story, (each) => tell(each)),
        { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }) }
      )
    },
    30 * 60_000
  )
})
