import { describeDemo } from "./demo-shop"
import { history } from "./shop/history"
import { simulatorPage } from "./shop/simulator-page"

const prepared = { isPrepared: true, hasBuiltDashboard: !process.env.DEEP }

describeDemo("a demo with its history", { ...prepared, hasHistory: true }, (demo) => {
  // Before anything else happens in the store.
  describe("the week behind it", () => history(demo))
  describe("the simulator's pages", () => simulatorPage(demo))
})
