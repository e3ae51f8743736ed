// The order in which jest begins the test files, so that no core is left alone with a long one at the end.
const { default: TestSequencer } = require("@jest/test-sequencer")

/**
 * Jest goes by how long a file took in an earlier run, and on a clean clone by its size, which says
 * nothing of those that start programs of their own: they are short and take minutes.
 */
const longestFirst = ["package", "instances", "browser", "integration", "model", "unit"]

module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ context }) => longestFirst.indexOf(context.config.displayName.name)
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other))
  }
}
