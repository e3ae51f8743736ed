import { afterFirstBatch } from "./batches"
import { csvFile } from "./csv-file"
import type { Piece } from "./service-rows"
import type { Locale, Table } from "./table"
import { xlsxFile } from "./xlsx-file"

/** A table as a file, from batches of lines. The first batch is awaited, because an error until then is answered as text. */
export async function tableFile<Row>(
  format: "csv" | "xlsx",
  lines: AsyncGenerator<Row[], void, undefined>,
  locale: Locale,
  table: Table<Row>
): Promise<AsyncGenerator<Piece, void, undefined>> {
  const writer = format === "csv" ? csvFile<Row> : xlsxFile<Row>
  const found = await afterFirstBatch(lines)
  return pieces(found, (batches) => writer(batches, locale, table))
}

async function* pieces<Row>(
  lines: AsyncGenerator<Row[], void, undefined>,
  write: (batches: AsyncIterable<Row[]>) => AsyncIterable<Uint8Array>
): AsyncGenerator<Piece, void, undefined> {
  let records = 0
  const counted = async function* () {
    for await (const batch of lines) {
      records += batch.length
      yield batch
    }
  }
  for await (const bytes of write(counted())) {
    // A writer may go on while its last piece is sent, so the count begins anew before that.
    const piece = { bytes, records }
    records = 0
    yield piece
  }
}
