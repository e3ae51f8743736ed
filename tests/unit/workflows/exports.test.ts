import { stringify } from "csv-stringify/sync"
import fc from "fast-check"

import {
  afterFirstBatch,
  inBatchesOf,
  prefetchingOne,
} from "../../../src/workflows/exports/batches"
import { csvFile } from "../../../src/workflows/exports/csv-file"
import { type ExportedRow, TRANSACTIONS } from "../../../src/workflows/exports/exported-row"
import { contentDisposition, fileName } from "../../../src/workflows/exports/file-name"
import type { Cell, Table } from "../../../src/workflows/exports/table"
import { dateOfText, textOfDate, wallClockIn } from "../../../src/workflows/exports/wall-clock"

async function* of<T>(...items: T[]): AsyncGenerator<T, void, undefined> {
  yield* items
}
const collect = async <T>(source: AsyncIterable<T>) => {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

const ROW: ExportedRow = {
  order_number: 1027,
  transaction_id: "id",
  created: new Date("2025-03-01T12:30:59Z"),
  time_zone: "UTC",
  gross: "-1234.5",
  currency: "RUB",
  method: "SBPQR",
  status: "CONFIRMED",
  description: null,
  payload: null,
  session_id: null,
  cart_id: null,
  customer_id: null,
  difference: "",
}
const line = async (row: Partial<ExportedRow>, locale: "en" | "ru" = "en") =>
  Buffer.concat(await collect(csvFile(of([{ ...ROW, ...row }]), locale, TRANSACTIONS)))
    .toString()
    .split("\r\n")[1]

describe("a CSV", () => {
  it("has numbers, dates and nothing in the form of its language", async () => {
    expect(await line({})).toBe("1027,id,2025-03-01 12:30:59,UTC,-1234.5,RUB,SBPQR,CONFIRMED,,,,,,")
    expect(await line({ gross: "0.1", description: "1,5" }, "ru")).toBe(
      "1027;id;2025-03-01 12:30:59;UTC;0,1;RUB;SBPQR;CONFIRMED;1,5;;;;;"
    )
    expect(await line({ description: "1;5" }, "ru")).toContain(';"1;5";')
  })

  it("leaves the cells empty that could not be read", async () => {
    const odd = { gross: null, currency: null, status: null, difference: "odd" }
    expect(await line(odd)).toBe("1027,id,2025-03-01 12:30:59,UTC,,,SBPQR,,,,,,,odd")
  })

  it("keeps lines within a text in one cell", async () => {
    for (const text of ["a\nb", "a\rb", "a\r\nb"]) {
      const [file] = await collect(
        csvFile(of([{ ...ROW, description: text }]), "en", TRANSACTIONS)
      ).then((parts) => [Buffer.concat(parts).toString()])
      expect(file).toContain(`,"${text}",`)
    }
  })

  it.each(["=1+1", "+7", "-5", "@x", "\tx", "\rx", "＝1", "＋1", "－1", "＠x"])(
    "never makes a formula of the text %j",
    async (text) => {
      const written = await line({ description: text, method: text })
      const cell = text.startsWith("\r") ? `"'${text}"` : `'${text}`
      expect(written).toContain(`,${cell},CONFIRMED,${cell},`)
    }
  )

  it.each(["en", "ru"] as const)(
    "is in each byte as csv-stringify writes it, in %s",
    async (locale) => {
      const sign = fc.constantFrom(...`aЯ7٣ .:_-,;"'=+@＝－\t\r\n\\\0é😀\u0301\uD800`.split(""))
      const text = fc.string({ unit: sign, maxLength: 5 })
      const date = fc.constantFrom(0, -1e14, 1e12, 8e15).map((time) => new Date(time))
      const cell = fc.oneof(
        text,
        fc.string({ unit: "binary" }),
        fc.double(),
        date,
        fc.constant(null)
      )
      // Of 600 lines or more, some texts come again, and more are quoted than the writer keeps.
      const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 900 })
      const titles = ["A", "b, c", "d; e"]
      const table: Table<Cell[]> = {
        sheet: { en: "", ru: "" },
        columns: titles.map((title) => ({ title: { en: title, ru: title }, width: 1 })),
        cells: (row) => row,
        totals: () => ({ add: () => undefined, rows: () => [] }),
      }
      await fc.assert(
        fc.asyncProperty(rows, async (lines) => {
          const written = await collect(csvFile(of(lines), locale, table))
          const expected = stringify([titles, ...lines], {
            ...{ bom: true, record_delimiter: "windows", delimiter: locale === "ru" ? ";" : "," },
            ...{ quote_record_delimiter: true, escape_formulas: true },
            cast: {
              number: (value) => String(value).replace(".", locale === "ru" ? "," : "."),
              date: textOfDate,
            },
          })
          expect(Buffer.concat(written).equals(Buffer.from(expected))).toBe(true)
        }),
        { numRuns: 40 }
      )
    }
  )
})

it("has a cell for each column", () => {
  expect(TRANSACTIONS.cells(ROW)).toHaveLength(TRANSACTIONS.columns.length)
  expect(TRANSACTIONS.cells(ROW)[4]).toBe(-1234.5)
})

it("adds up amounts by currency, and counts what could not be added", () => {
  const totals = TRANSACTIONS.totals()
  totals.add(ROW)
  totals.add({ ...ROW, gross: null })
  totals.add({ ...ROW, currency: null })
  const cellsOf = (locale: "en" | "ru") => totals.rows(locale).map((cells) => cells.slice(0, 6))
  expect(cellsOf("en")).toEqual([
    ["Total", "2 transactions", null, null, -1234.5, "RUB"],
    ["Total", "1 transaction", null, null, null, null],
  ])
  expect(cellsOf("ru")[1]?.[1]).toBe("1 транзакция")
})

describe("clocks on the wall", () => {
  it.each([
    ["Europe/Moscow", "2025-07-01T21:30:15Z", "2025-07-02 00:30:15"],
    ["Europe/Berlin", "2025-10-26T00:59:59Z", "2025-10-26 02:59:59"],
    ["Europe/Berlin", "2025-10-26T01:00:00Z", "2025-10-26 02:00:00"],
    ["Asia/Kathmandu", "2025-01-01T00:00:01Z", "2025-01-01 05:45:01"],
    ["America/New_York", "2025-01-01T00:00:00Z", "2024-12-31 19:00:00"],
  ])("in %s at %s show %s", (zone, moment, shown) => {
    expect(textOfDate(wallClockIn(zone)(new Date(moment)))).toBe(shown)
  })

  it("are read in the specified form only", () => {
    expect(dateOfText("2025-03-01 12:30:59")).toEqual(new Date("2025-03-01T12:30:59Z"))
    for (const text of ["2025-13-01 12:30:59", "2025-03-01T12:30:59Z", "yesterday", ""]) {
      expect(dateOfText(text)).toBeNull()
    }
  })
})

describe("batches", () => {
  it("are regrouped, and asked for one ahead", async () => {
    expect(await collect(inBatchesOf(2, of([1], [2, 3, 4], [], [5])))).toEqual([
      ...[[1, 2], [3, 4], [5]],
    ])
    const asked: number[] = []
    const ahead = prefetchingOne(
      (async function* () {
        for (const item of [1, 2, 3, 4]) {
          asked.push(item)
          yield item
        }
      })()
    )
    expect((await ahead.next()).value).toBe(1)
    expect(asked).toEqual([1, 2])
    await ahead.return()
    expect(asked.length).toBeLessThan(4)
  })

  it("throw what happens before the first one, and later what happens later", async () => {
    const failing = async function* (after: number) {
      for (let item = 0; item < after; item++) yield item
      throw new Error("broken")
    }
    await expect(afterFirstBatch(failing(0))).rejects.toThrow("broken")
    const later = await afterFirstBatch(prefetchingOne(failing(2)))
    await expect(collect(later)).rejects.toThrow("broken")
  })

  it("end their source when nobody wants more", async () => {
    let isEnded = false
    const source = async function* () {
      try {
        for (;;) yield 1
      } finally {
        isEnded = true
      }
    }
    for await (const _one of await afterFirstBatch(prefetchingOne(source()))) break
    expect(isEnded).toBe(true)
  })
})

describe("a file's name", () => {
  const content = {
    ...({ source: "service", format: "csv", timeZone: "Europe/Moscow" } as const),
    from: new Date("2025-01-01T21:00:00Z"),
    to: new Date("2025-01-02T21:00:00Z"),
    filters: ["paid", 'a/b"c\r\n', "Ёж"],
  }
  it("says what it is, in each language", () => {
    expect(fileName(content, "en")).toBe("transactions_service_2025-01-02_paid_a-b-c-_Ёж.csv")
    expect(fileName({ ...content, filters: [] }, "ru")).toBe("транзакции_сервис_2025-01-02.csv")
    const { from, ...until } = content
    expect(fileName({ ...until, filters: [] }, "ru")).toBe("транзакции_сервис_по_2025-01-02.csv")
    expect(fileName({ ...until, to: from, filters: ["x".repeat(500)] }, "en")).toHaveLength(154)
    expect(fileName({ ...until, paid: { from }, filters: [] }, "en")).toBe(
      "transactions_service_until_2025-01-02_paid_from_2025-01-02.csv"
    )
  })

  it("is a header that nobody can break out of", () => {
    const header = contentDisposition(content, "ru")
    expect(header).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%~-]+$/)
  })
})
