// The order in which jest begins the test files, so that no core is left alone with a long one at the end.
const { relative } = require("node:path")
const { default: TestSequencer } = require("@jest/test-sequencer")

/**
 * Jest knows how long a file took in an earlier run, and on a clean clone only its size. So this is roughly how many seconds the
 * files took side by side, for those that do not take as long as others of their folder.
 */
const SECONDS = {
  "tests/integration/admin-pages.test.ts": 520,
  "tests/integration/pay.test.ts": 410,
  "tests/browser/dashboard.test.ts": 400,
  "tests/integration/order-balance.test.ts": 390,
  "tests/integration/payout-refunds.test.ts": 390,
  "tests/integration/watcher.test.ts": 340,
  "tests/integration/reconciliation.test.ts": 280,
  "tests/integration/checkout.test.ts": 270,
  "tests/integration/problems.test.ts": 265,
  "tests/instances/payouts.test.ts": 260,
  "tests/integration/settings.test.ts": 260,
  "tests/integration/attacks.test.ts": 250,
  "tests/instances/kills.test.ts": 235,
  "tests/integration/payouts.test.ts": 210,
  "tests/integration/order-first.test.ts": 195,
  "tests/integration/leaks.test.ts": 160,
  "tests/browser/shop.test.ts": 155,
  "tests/instances/several.test.ts": 135,
  "tests/integration/accounts.test.ts": 130,
  "tests/integration/stories.test.ts": 115,
  "tests/instances/interleavings.test.ts": 100,
  "tests/browser/settings.test.ts": 65,
  "tests/quick/payments/decide-every-case.test.ts": 60,
}

module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const seconds = ({ path, duration, context: { config } }) =>
      duration
        ? duration / 1000
        : (SECONDS[relative(config.rootDir, path)] ??
          (relative(config.rootDir, path).startsWith("tests/quick/") ? 5 : 120))
    return [...super.sort(tests)].sort((one, other) => seconds(other) - seconds(one))
  }
}
