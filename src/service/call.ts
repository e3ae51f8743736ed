/** Per-call settings, which only narrow the connection's settings. */
export interface CallOptions {
  /** Budget of the whole call in milliseconds, retries and waits included; for the export see `exportTransactions`. */
  timeoutMs?: number
  /** Gives the call up; it then fails with kind `timeout`. */
  signal?: AbortSignal
  /** Further attempts after the first: by default 2, at most 5. Payouts are never repeated. */
  retries?: number
  /** Called for each reply of the service itself, whatever its status; `date` is the time of the service's clock. */
  onReply?: (reply: { httpStatus: number; date: Date | null }) => void
}

/** One request to any endpoint. */
export interface Call {
  method: "GET" | "POST"
  url: URL
  /** The path that the log shows, without the query string. */
  logPath: string
  /** Called for each attempt, since a signature contains the time. */
  headers: () => Record<string, string>
  body?: Buffer
  /** Decides what may be repeated: reads always, a creation only if it was not sent, a payout never. */
  effect: "read" | "creation" | "payout"
  scheme: "merchant key" | "signed" | "none"
  budgetMs: number
  /** The host to which the link of an export leads: its refusals say nothing about the merchant's credentials. */
  linkHost?: string
  /** Texts of the request that must not come back in an error message. */
  confidential?: string[]
  /** The refusal's text is not quoted, because it may contain data that is unknown here and cannot be masked. */
  unquotable?: boolean
}
