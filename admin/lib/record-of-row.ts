/** The record of a clicked row. Medusa's table passes its own row around the record, unlike its types say. */
export function recordOfRow<T extends object>(row: T | { original: T }): T {
  return "original" in row ? row.original : row
}
