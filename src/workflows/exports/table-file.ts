import { begun } from "./batches"
import { csvFile } from "./csv-file"
import type { ExportedRow, Locale } from "./exported-row"
import type { Piece } from "./service-rows"
import { xlsxFile } from "./xlsx-file"

/**
 * A table as a file, whose lines come in batches. The first batch is waited for, because what goes wrong until then is
 * answered in words.
 */
export async function tableFile(
  format: "csv" | "xlsx",
  lines: AsyncGenerator<ExportedRow[], void, undefined>,
  locale: Locale
): Promise<AsyncGenerator<Piece, void, undefined>> {
  const writer = format === "csv" ? csvFile : xlsxFile
  return pieces(writer, await begun(lines), locale)
}

async function* pieces(
  writer: typeof csvFile | typeof xlsxFile,
  lines: AsyncGenerator<ExportedRow[], void, undefined>,
  locale: Locale
): AsyncGenerator<Piece, void, undefined> {
  let records = 0
  const counted = async function* () {
    for await (const batch of lines) {
      records += batch.length
      yield batch
    }
  }
  for await (const bytes of writer(counted(), locale)) {
    // A writer may go on while its last piece is sent, so the count begins anew before that.
    const piece = { bytes, records }
    records = 0
    yield piece
  }
}
