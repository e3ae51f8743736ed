/**
 * Files of transactions, the service's records and payouts, as CSV, XLSX and JSON. A source is a generator of batches of rows; a table
 * (`tables.ts`) is columns with a value of each row; `file-formats.ts` makes bytes of them by a library. So a million records stream in
 * bounded memory. A text that a spreadsheet could take for a formula gets an apostrophe. A file gets its end only once its export is
 * recorded, and an error after the first batch breaks the connection: no part looks like the whole.
 */

export {
  contentDisposition,
  csvFile,
  type FileContent,
  jsonFile,
  readerOf,
  type Table,
  xlsxFile,
} from "./file-formats"
export {
  exportedPayouts,
  listedLine,
  PAYOUTS,
  selectedRecords,
  serviceLines,
  storeLines,
  TRANSACTIONS,
} from "./tables"
