import { describeDemo } from "./demo-shop"
import { history } from "./shop/history"
import { simulatorPage } from "./shop/simulator-page"

const settings = { DISABLE_DASHBOARD: "true" }

describeDemo(
  "a demo with its history",
  { isPrepared: true, settings, hasHistory: true },
  (demo) => {
    // Before anything else happens in the store.
    describe("the week behind it", () => history(demo))
    describe("the simulator's pages", () => simulatorPage(demo))
  }
)
