import type { ReadableStream } from "node:stream/web"

import { DATE, type Reader, type Table } from "./table"

/** A table as an Excel workbook, with a header and rows of totals. */
export async function* xlsxFile<Row>(
  batches: AsyncIterable<Row[]>,
  table: Table<Row>,
  reader: Reader
): AsyncGenerator<Uint8Array, void, undefined> {
  // The library has only ES modules, which other modules can load only by `import()`.
  const { writeXlsxStream } = await import("hucre/xlsx")
  const file = writeXlsxStream(linesOf(batches, table, reader), {
    name: table.sheet[reader.locale],
    columns: table.columns.map(({ title, width, format: numFmt }) => ({
      header: title[reader.locale],
      width,
      ...(numFmt ? { numFmt } : {}),
    })),
    freezePane: { rows: 1 },
  })
  // TypeScript 5 has browsers' types, which lack that the stream can be read in a loop.
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
  yield* file as ReadableStream<Uint8Array>
}

async function* linesOf<Row>(
  batches: AsyncIterable<Row[]>,
  { columns, totals }: Table<Row>,
  reader: Reader
) {
  const total = totals(reader.locale)
  for await (const rows of batches) {
    for (const row of rows) {
      total.add(row)
      yield columns.map(({ value, format }) => {
        const cell = value(row, reader)
        return format === DATE && typeof cell === "string" ? (dateIn(cell) ?? cell) : cell
      })
    }
  }
  yield* total.rows()
}

/** The date and time in a text, as if its clock were one in UTC; null for a text in any other form. */
function dateIn(text: string): Date | null {
  const isDate = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
  const date = new Date(isDate ? `${text.replace(" ", "T")}Z` : NaN)
  return Number.isNaN(date.getTime()) ? null : date
}
