import type { ReadableStream } from "node:stream/web"

import type { Cell, Locale, Table } from "./table"

/** Excel accepts no longer text in a cell. */
const LONGEST_TEXT = 32_767

/** A table as an Excel workbook, with a header and rows of totals. */
export async function* xlsxFile<Row>(
  batches: AsyncIterable<Row[]>,
  locale: Locale,
  table: Table<Row>
): AsyncGenerator<Uint8Array, void, undefined> {
  // The library has only ES modules, which other modules can load only by `import()`.
  const { writeXlsxStream } = await import("hucre/xlsx")
  const file = writeXlsxStream(rowsOf(batches, locale, table), {
    name: table.sheet[locale],
    columns: table.columns.map(({ title, width, format }) => ({
      ...{ header: title[locale], width },
      ...(format ? { numFmt: format } : {}),
    })),
    freezePane: { rows: 1 },
  })
  // TypeScript 5 has browsers' types, which lack that the stream can be read in a loop.
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
  yield* file as ReadableStream<Uint8Array>
}

async function* rowsOf<Row>(
  batches: AsyncIterable<Row[]>,
  locale: Locale,
  { cells, workbookCells = cells, totals }: Table<Row>
): AsyncGenerator<Cell[]> {
  const total = totals()
  for await (const batch of batches) {
    for (const row of batch) {
      total.add(row)
      yield workbookCells(row).map((cell) =>
        typeof cell === "string" ? cell.slice(0, LONGEST_TEXT) : cell
      )
    }
  }
  yield* total.rows(locale)
}
