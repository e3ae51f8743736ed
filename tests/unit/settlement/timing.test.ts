import * as times from "../../../src/settlement/timing"

/** Each line is a promise that code elsewhere relies on. */
describe("times that depend on each other", () => {
  it.each([
    ["a read ends before its lease does", "LONGEST_READ_MS", times.READ_LEASE.ttlMs],
    ["a settle waits for one whole read of another", "LONGEST_READ_MS", times.READ_LEASE.waitMs],
    [
      "what is completed under our lock is not old while it lives",
      "CART_LOCK_MS",
      times.OLD_COMPLETION_MS,
    ],
    [
      "every lock of a dead process ends before its mark is old",
      "LONGEST_LOCK_MS",
      times.OLD_COMPLETION_MS,
    ],
    ["core's lock of two minutes ends before a person is asked", 120_000, times.LONGEST_LOCK_MS],
    [
      "a settle has read before it counts as past its read",
      times.READ_LEASE.waitMs + times.LONGEST_READ_MS,
      times.LONGEST_READING_MS,
    ],
    [
      "a settle is past its read before it is left behind",
      "LONGEST_READING_MS",
      times.LONGEST_BACKGROUND_SETTLE_MS,
    ],
    [
      "a pass and its last settle end before the pass may be taken over",
      times.LONGEST_PASS_MS + times.LONGEST_BACKGROUND_SETTLE_MS,
      times.LONGEST_LEASED_WORK_MS,
    ],
    [
      "leased work ends before its job is begun anew",
      "LONGEST_LEASED_WORK_MS",
      times.LONGEST_JOB_MS,
    ],
    [
      "a comparison's list ends before another comparison may begin",
      "LONGEST_COMPARED_LIST_MS",
      times.COMPARISON_LEASE.longestMs,
    ],
  ] as [string, Name | number, number][])("%s", (_, shorter, longer) => {
    expect(typeof shorter === "number" ? shorter : times[shorter]).toBeLessThan(longer)
  })
})

type Name = {
  [Key in keyof typeof times]: (typeof times)[Key] extends number ? Key : never
}[keyof typeof times]
