/**
 * The record of a row that was clicked. Medusa's table says that it hands over the record itself, and hands over its
 * own row around it.
 */
export function recordOfRow<T extends object>(row: T | { original: T }): T {
  return "original" in row ? row.original : row
}
