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
  " Done",
  "Done ",
  "PAID",
  "pending",
  "canceled",
  "CANCELLED",
  "",
  "paid",
  "constructor",
])("%p is unknown: names are exact, and none is built in", (status) => {
  expect(meaningOf(status, names)).toBe("unknown")
})
