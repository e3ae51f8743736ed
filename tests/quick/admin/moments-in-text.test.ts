import { withOwnMoments } from "../../../admin/lib/format"
import { time } from "../../../src/texts"

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 5, 3, 36)))
const asked = (iso: string) => `<${iso}>`

describe.each(["en", "ru"] as const)("moments in a sentence in %s", (language) => {
  it.each(MONTHS.map((moment) => moment.toISOString()))("%s is written again", (iso) => {
    const sentence = `Settled since ${time(iso)[language]}, and due ${time(iso)[language]}.`
    expect(withOwnMoments(sentence, asked)).toBe(`Settled since <${iso}>, and due <${iso}>.`)
  })
})

it("leaves other texts as they are", () => {
  const text = "Order #12 of 05.11.2026, 03:36, or 5 Nov 2026, is worth ₽1,990.50 in UTC"
  expect(withOwnMoments(text, asked)).toBe(text)
})
