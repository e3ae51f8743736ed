import { parse } from "csv-parse/sync"
import fc from "fast-check"

import {
  type Cell,
  column,
  csvFile,
  readerOf,
  type Table,
  TRANSACTIONS,
  type TransactionLine,
} from "../../../src/exports"

const LOCALES = ["en", "ru"] as const
type Locale = (typeof LOCALES)[number]
const DELIMITERS = { en: ",", ru: ";" }

async function* of<T>(...items: T[]): AsyncGenerator<T, void, undefined> {
  yield* items
}
const textOf = async (source: AsyncIterable<Uint8Array>) => {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts).toString()
}

const LINE: TransactionLine = {
  record: {
    recordId: "id",
    createdAt: "2025-03-01 12:30:59",
    amount: "-1234.5",
    currencyCode: "RUB",
    paymentMethod: "SBPQR",
    status: "CONFIRMED",
    description: null,
    payload: null,
  },
  isPaid: true,
  paid: "-1234.5",
  row: null,
  difference: { en: "odd", ru: "странно" },
  known: { numbers: new Map([["", 1027]]), refunded: new Map(), customers: new Map() },
}
const written = async (record: Partial<TransactionLine["record"]>, locale: Locale = "en") => {
  const lines = [{ ...LINE, record: { ...LINE.record, ...record } }]
  const file = csvFile(of(lines), TRANSACTIONS, readerOf(locale, "UTC"))
  return (await textOf(file)).split("\r\n")[1]
}

/** A table of these cells. */
const tableOf = (width: number): Table<Cell[]> => ({
  sheet: { en: "", ru: "" },
  columns: Array.from({ length: width }, (_, index) =>
    column<Cell[]>("note", 1, (cells) => cells[index] ?? null)
  ),
  totals: () => ({ add: () => undefined, rows: () => [] }),
})

describe("a CSV", () => {
  it("has texts in quotes, and numbers and nothing in the form of its language", async () => {
    expect(await written({})).toBe(
      `1027,,,"id","2025-03-01 12:30:59",,"UTC",-1234.5,-1234.5,,"RUB",,,,"SBPQR","CONFIRMED",,,,,,"odd"`
    )
    expect(await written({ amount: "0.1", description: `1;5 "x"` }, "ru")).toBe(
      `1027;;;"id";"2025-03-01 12:30:59";;"UTC";0,1;-1234,5;;"RUB";;;;"SBPQR";"CONFIRMED";"1;5 ""x""";;;;;"странно"`
    )
  })

  it.each(LOCALES)(
    "is read with the same cells by any reader, in %s, and none begins a formula, wherever a spreadsheet parts them (promise 20)",
    async (locale) => {
      const sign = fc.constantFrom(...`aЯ7 .,;"'=+@-＝＋－＠\t\r\n`.split(""))
      const text = fc.string({ unit: sign, maxLength: 8 })
      const cell = fc.oneof(text, fc.string({ unit: "binary" }), fc.constant(null))
      const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(rows, async (cells) => {
          const file = await textOf(csvFile(of(cells), tableOf(3), readerOf(locale, "UTC")))
          const read = parse(file, {
            bom: true,
            delimiter: DELIMITERS[locale],
            record_delimiter: "\r\n",
          }).slice(1)
          const bare = (one: Cell) => String(one ?? "").replaceAll("'", "")
          expect(read.map((line) => line.map(bare))).toEqual(
            cells.map((line) => line.map((one) => Buffer.from(bare(one)).toString()))
          )
          expect(read.flat().filter((one) => FORMULA.test(one))).toEqual([])
          for (const delimiter of [",", ";", "\t"]) {
            const parted = file.split(/\r\n|\n|\r/).flatMap((line) => line.split(delimiter))
            const unquoted = parted.map((one) => one.replace(/^[" ]+/, ""))
            expect(unquoted.filter((one) => FORMULA.test(one))).toEqual([])
          }
        }),
        { numRuns: 100 }
      )
    }
  )
})

const FORMULA = /^[=+\-@\t\r＝＋－＠]/

it("adds up what was paid by currency, names apart what was not, and counts what could not be added", () => {
  const rowsIn = (locale: Locale) => {
    const totals = TRANSACTIONS.totals(locale)
    totals.add({ ...LINE, isPaid: false, paid: null })
    totals.add({ ...LINE, known: { ...LINE.known, refunded: new Map([["", "0.1"]]) } })
    for (const unread of [{}, { amount: null }, { currencyCode: null }]) {
      totals.add({ ...LINE, record: { ...LINE.record, ...unread }, paid: "0.2" })
    }
    return totals.rows()
  }
  const none = { asked: null, paid: null, refunded: null, currency: null }
  const three = { asked: -2469, paid: -1234.1, refunded: 0.1, currency: "RUB" }
  const unpaid = { ...none, asked: -1234.5, currency: "RUB" }
  expect(rowsIn("en")).toEqual([
    { order: "Paid", customer_name: "3 transactions", ...three },
    { order: "Paid", customer_name: "1 transaction", ...none },
    { order: "Not paid", customer_name: "1 transaction", ...unpaid },
  ])
  expect(rowsIn("ru")[1]?.customer_name).toBe("1 транзакция")
})
