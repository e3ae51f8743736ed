import {
  meaningOf,
  type StatusMeaning,
  type StatusNames,
} from "../../../src/payments/rules/transaction"

const names: StatusNames = {
  paid: ["Done", "SETTLED"],
  pending: ["PENDING", "Waiting"],
  canceled: ["CANCELED", "Declined"],
  expired: ["TooLate"],
  reversed: ["TakenBack"],
}

it.each<[string, StatusMeaning]>([
  ["Done", "paid"],
  ["SETTLED", "paid"],
  ["PENDING", "pending"],
  ["Waiting", "pending"],
  ["CANCELED", "canceled"],
  ["Declined", "canceled"],
  ["TooLate", "expired"],
  ["TakenBack", "reversed"],
])("%p means %s", (status, meaning) => {
  expect(meaningOf(status, names)).toBe(meaning)
})

it.each([
  "DONE",
  "done",
  "Settled",
  " Done",
  "Done ",
  "Don",
  "Done1",
  "NotDone",
  "Done,SETTLED",
  "PAID",
  "pending",
  "canceled",
  "CANCELLED",
  "",
  "paid",
  "0",
  "constructor",
  "toString",
  "__proto__",
  "length",
])("%p is unknown: names are exact, and none is built in", (status) => {
  expect(meaningOf(status, names)).toBe("unknown")
})

it("knows no name at all when none is configured, PENDING and CANCELED included", () => {
  const none: StatusNames = { paid: [], pending: [], canceled: [], expired: [], reversed: [] }
  for (const status of ["PENDING", "CANCELED", "PAID", "EXPIRED", "REVERSED", ""]) {
    expect(meaningOf(status, none)).toBe("unknown")
  }
})
