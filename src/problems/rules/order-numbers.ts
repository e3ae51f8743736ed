import type { Text } from "../../texts"

const ORDER_ID = /\border_[0-9A-HJKMNP-TV-Z]{26}\b/g

export function orderIdsIn({ en }: Text): string[] {
  return en.match(ORDER_ID) ?? []
}

/** A text with orders' numbers in place of their ids, because admins know them by these; an id without a number stays. */
export function withOrderNumbers(text: Text, numbers: Map<string, number>): Text {
  // A file has many lines without an order.
  if (numbers.size === 0) return text
  const named = (words: string) =>
    words.replace(ORDER_ID, (id) => (numbers.has(id) ? `#${numbers.get(id)}` : id))
  return { en: named(text.en), ru: named(text.ru) }
}
