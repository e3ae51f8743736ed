import type { ReadableStream } from "node:stream/web"

import type { Cell, Reader, Table } from "./table"

/** Excel accepts no longer text in a cell. */
const LONGEST_TEXT = 32_767

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
): AsyncGenerator<Cell[]> {
  const total = totals(reader.locale)
  for await (const rows of batches) {
    for (const row of rows) {
      total.add(row)
      const cells = columns.map(({ value }) => value(row, reader))
      yield cells.map((cell) => (typeof cell === "string" ? cell.slice(0, LONGEST_TEXT) : cell))
    }
  }
  yield* total.rows()
}
