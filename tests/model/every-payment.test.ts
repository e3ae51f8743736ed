import * as fc from "fast-check"

import { story } from "./commands"
import { tell } from "./run"

/** A few hundred stories with every `npm test`; as many as one likes with `npm run test:model`. */
const RUNS = Number(process.env.RUNS ?? 300)
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

describe("whatever happens, in whatever order", () => {
  it(
    `every payment ends in one order, an open problem or a closed one (${RUNS} stories)`,
    () => {
      fc.assert(
        fc.property(story, (each) => {
          tell(each)
        }),
        { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }) }
      )
    },
    30 * 60_000
  )
})
