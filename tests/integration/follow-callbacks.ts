import { atLabelledPoints } from "./at-labelled-points"
import { eventually } from "./eventually"

/** Follows the callbacks of each test, from when they are written down until what they began has ended. */
export function followCallbacks(): { allSettled: () => Promise<void> } {
  let open = 0
  let takeAway = () => {}
  beforeEach(() => {
    open = 0
    takeAway = atLabelledPoints((point) => {
      if (point === "callback:kept") open++
      if (point === "callback:settled") open--
    })
  })
  afterEach(() => {
    takeAway()
  })
  return {
    allSettled: async () => {
      await eventually("all callbacks are settled", () => Promise.resolve(open === 0))
    },
  }
}
