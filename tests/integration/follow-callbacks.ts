import { setImmediate as turn } from "node:timers/promises"

import { queueOf } from "../../src/payments/queue"
import { atLabelledPoints } from "./at-labelled-points"
import { eventually } from "./eventually"
import type { TestStore } from "./store"

/** Follows the callbacks of each test, from when they are written down until what they began has ended. */
export function followCallbacks(store: TestStore): { allSettled: () => Promise<void> } {
  let open = 0
  let takeAway = () => {}
  beforeEach(() => {
    open = 0
    takeAway = atLabelledPoints((point) => {
      if (point === "callback:kept") open++
      if (point === "callback:answered") open--
    })
  })
  afterEach(() => {
    takeAway()
  })
  return {
    allSettled: async () => {
      await eventually("all callbacks are answered", () => Promise.resolve(open === 0))
      // They name their payments right after that.
      await turn()
      await queueOf(store.module).idle()
    },
  }
}
