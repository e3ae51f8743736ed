/** Far from today: comparisons look at the last days. */
let year = 1980

/** When a year begins in which the service has no records: the simulator keeps what other tests have added. */
export function startOfUnusedYear(): Date {
  return new Date(Date.UTC(year++, 0, 1))
}
