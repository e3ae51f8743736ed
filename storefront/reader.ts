/** A request to the store, as for `fetch`; a body is sent as JSON. */
export interface StoreRequest {
  method?: "GET" | "POST"
  body?: Record<string, unknown>
  cache?: "no-store"
  signal?: AbortSignal
}

/**
 * Reads from the store. The shop's own `sdk` of `@medusajs/js-sdk` is a reader; `createReader` makes one for a shop without it.
 * `fetch` returns the answer's JSON, and throws an error with the answer's `status` when the store refuses.
 */
export interface StoreReader {
  client: {
    fetch<T>(path: string, request?: StoreRequest): Promise<T>
  }
}

/** The store's address and the sales channel's publishable key, which a reader needs. */
export interface StoreAddress {
  /** Medusa's address, `https://shop.example`. */
  baseUrl: string
  /** `pk_…`, from the dashboard. */
  publishableKey: string
}

/**
 * Anything that gives access to the store. Next's server components can pass only the address, because functions do not reach the
 * browser.
 */
export type ReaderSource = StoreReader | StoreAddress

/** The store's refusal, with its English sentence as `message`; `refusalText` says it in the shopper's language. */
export class StoreError extends Error {
  override name = "StoreError"

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** Stable, `perCart` for example; null when a proxy answered instead of the store. */
    readonly code: string | null = null
  ) {
    super(message)
  }
}

/** Makes a reader for a shop without `@medusajs/js-sdk`. It sends no cookies, because a payment's id alone is enough. */
export function createReader({ baseUrl, publishableKey }: StoreAddress): StoreReader {
  const base = baseUrl.replace(/\/+$/, "")
  return {
    client: {
      async fetch<T>(path: string, { body, ...request }: StoreRequest = {}): Promise<T> {
        const response = await fetch(base + path, {
          ...request,
          headers: {
            accept: "application/json",
            "x-publishable-api-key": publishableKey,
            ...(body && { "content-type": "application/json" }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
        if (!response.ok) {
          const { message, code } = await refusalOf(response)
          throw new StoreError(message, response.status, code)
        }
        return (await response.json()) as T
      },
    },
  }
}

/** The reader itself, or one for this address. */
export function readerOf(source: ReaderSource): StoreReader {
  return "client" in source ? source : createReader(source)
}

/** The HTTP status of a refusal, by this reader's error or js-sdk's; null when the store did not answer. */
export function refusalStatus(error: unknown): number | null {
  return error instanceof Error && "status" in error && typeof error.status === "number"
    ? error.status
    : null
}

async function refusalOf(response: Response): Promise<{ message: string; code: string | null }> {
  // A proxy may have answered instead of the store.
  const answer = (await response.json().catch(() => null)) as {
    message?: unknown
    code?: unknown
  } | null
  const { message, code } = answer ?? {}
  return {
    message:
      typeof message === "string" && message
        ? message
        : response.statusText || `The store answered with ${response.status}`,
    code: typeof code === "string" ? code : null,
  }
}
