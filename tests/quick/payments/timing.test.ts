import { TIMEOUTS } from "../../../src/service/client"
import * as times from "../../../src/payments/rules/timing"
import { CLAIM_MS } from "../../../src/payments/rules/timing"

const COMPARISON_MS = times.COMPARISON_LEASE.longestMs

/** Each line is a promise that code elsewhere relies on. */
describe("times that depend on each other (promise 11)", () => {
  it.each([
    ["a read ends before its claim does", TIMEOUTS.readMs, CLAIM_MS],
    ["no proof is asked for again while a read may run", TIMEOUTS.readMs, times.FRESH_PROOF_MS],
    ["a completion under our lock is not old", "CART_LOCK_MS", times.OLD_COMPLETION_MS],
    [
      "a dead process's locks end before its mark is old",
      "LONGEST_LOCK_MS",
      times.OLD_COMPLETION_MS,
    ],
    ["core's lock of two minutes ends before a person is asked", 120_000, times.LONGEST_LOCK_MS],
    ["a comparison's list ends before another begins", "LONGEST_COMPARED_LIST_MS", COMPARISON_MS],
  ] as [string, Name | number, number][])("%s", (_, shorter, longer) => {
    expect(typeof shorter === "number" ? shorter : times[shorter]).toBeLessThan(longer)
  })
})

type Name = {
  [Key in keyof typeof times]: (typeof times)[Key] extends number ? Key : never
}[keyof typeof times]
