declare const names: unique symbol

/** A text that names one kind of thing. It is not accepted as an id of another kind; plain text is. */
type IdOf<Thing extends string> = string & { readonly [names]?: Thing }

/** Our row of a transaction (`pstx_…`). */
export type RowId = IdOf<"row">
/** A transaction at the service, as the service wrote it. */
export type TransactionId = IdOf<"transaction">
/** Medusa's payment session (`payses_…`). */
export type SessionId = IdOf<"session">
