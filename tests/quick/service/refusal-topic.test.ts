import { topicOf } from "../../../src/service/errors"

it.each([
  ["The USDT balance is too low.", "balance"],
  ['{"error":{"code":"insufficient_balance"}}', "balance"],
  ["Недостаточно средств для выплаты на карту", "balance"],
  ["Payouts are not enabled for this merchant.", "feature"],
  ["Выплаты не подключены", "feature"],
  ["amountRub must be at most 87500", "amount"],
  ["cardId is not an active card of this merchant.", "card"],
  ["Карта заблокирована", "card"],
  ["This idempotency key has been used already.", "key"],
  ["Idempotency-Key: duplicate value", "key"],
  ['{"code":"duplicate_request"}', "key"],
  ["Ключ идемпотентности уже использован", "key"],
  ["Выплата уже обработана", "key"],
  ["Дубликат запроса", "key"],
  // The address of the request is no statement about the card.
  ['{"path":"/api/v1/payouts/card-rub","error":"Bad Request"}', undefined],
  ["Bad Request", undefined],
])("%s is about %s (promise 15)", (text, topic) => {
  expect(topicOf(text)).toBe(topic)
})
