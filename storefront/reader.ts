/** A request to the store, as `fetch` takes it; a body is sent as JSON. */
export interface StoreRequest {
  method?: "GET" | "POST"
  body?: Record<string, unknown>
  cache?: "no-store"
  signal?: AbortSignal
}

/**
 * Asks the store. The shop's own `sdk` of `@medusajs/js-sdk` is one; `createReader` makes one for a shop that has none.
 * `fetch` gives the answer's JSON, and throws an error with the answer's `status` when the store refuses.
 */
export interface StoreReader {
  client: {
    fetch<T>(path: string, request?: StoreRequest): Promise<T>
  }
}

/** The store's address and the publishable key of the sales channel: all that a reader is made of. */
export interface StoreAddress {
  /** Where Medusa listens, `https://shop.example`. */
  baseUrl: string
  /** `pk_…`, from the dashboard. */
  publishableKey: string
}

/**
 * Anything by which the store can be asked. Next's server components can pass only the address, because functions
 * do not reach the browser.
 */
export type ReaderSource = StoreReader | StoreAddress

/** The store's refusal; `message` is its sentence. */
export class StoreError extends Error {
  override name = "StoreError"

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number
  ) {
    super(message)
  }
}

/** Makes a reader for a shop without `@medusajs/js-sdk`. It sends no cookies: a payment is found by its id alone. */
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
          throw new StoreError(await sentenceOf(response), response.status)
        }
        return (await response.json()) as T
      },
    },
  }
}

/** The reader itself, or the one for this address. */
export function readerOf(source: ReaderSource): StoreReader {
  return "client" in source ? source : createReader(source)
}

/** The HTTP status of a refusal, by this reader's error or js-sdk's; null when the store did not answer. */
export function refusalStatus(error: unknown): number | null {
  return error instanceof Error && "status" in error && typeof error.status === "number"
    ? error.status
    : null
}

async function sentenceOf(response: Response): Promise<string> {
  try {
    const answer: unknown = await response.json()
    if (answer && typeof answer === "object" && "message" in answer) {
      return String(answer.message)
    }
  } catch {
    // A proxy answered in its own words.
  }
  return response.statusText || `The store answered with ${response.status}`
}
