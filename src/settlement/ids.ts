/** Our row of a transaction (`pstx_…`). */
export type RowId = string
/** A transaction at the service, as the service wrote it. */
export type TransactionId = string
/** Medusa's payment session (`payses_…`). */
export type SessionId = string
