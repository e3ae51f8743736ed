// The order in which jest begins the test files, so that no core is left alone with a long one at the end.
const { existsSync, readdirSync, statSync } = require("node:fs")
const { basename, join } = require("node:path")
const { default: TestSequencer } = require("@jest/test-sequencer")

/**
 * Jest goes by how long a file took in an earlier run, and on a clean clone by its size, which says
 * nothing of those that start programs of their own: they are short and take minutes.
 */
const longestFirst = ["package", "storefront", "instances", "browser", "integration", "quick"]

/** These take longer than their size says: they wait for what hangs or is due later, or buy much. */
const patient = new Set([
  ...["attacks", "leaks", "order-balance", "outages", "pay", "payout-refunds", "watcher"],
])

module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ context }) => longestFirst.indexOf(context.config.displayName.name)
    const sorted = super.sort(tests)
    const isTimed = sorted.some(({ duration }) => duration)
    const bySize = (one, other) => (isTimed ? 0 : size(other.path) - size(one.path))
    return [...sorted].sort((one, other) => rank(one) - rank(other) || bySize(one, other))
  }
}

/** With the tests that the file takes from the folder of its name; those that wait count several times. */
function size(file) {
  const folder = file.replace(/\.test\.tsx?$/, "")
  const parts = existsSync(folder) ? readdirSync(folder).map((part) => join(folder, part)) : []
  const bytes = [file, ...parts].reduce((sum, path) => sum + statSync(path).size, 0)
  return patient.has(basename(folder)) ? 3 * bytes : bytes
}
