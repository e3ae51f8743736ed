import type { Call } from "./call"
import { linkRefused, malformed } from "./call-failures"
import { invalidRequest } from "./errors"
import { isLoopback } from "./loopback"
import { registerSecret } from "./redact"
import { authorizationHeader, sign, stringToSign } from "./signature"

/** The service's address, and the merchant's credentials there. */
export interface ServiceConnection {
  /** http or https, with or without a path. */
  baseUrl: string
  merchantId: string
  secret: string
  /** Needed only for cards and payouts. */
  signingSecret?: string
  /** Prefix of the signed scheme, by default `DEFAULT_SCHEME`. */
  signatureScheme?: string
  timeouts?: Partial<ServiceTimeouts>
  export?: {
    /** Hosts, as `URL` spells them, to which the link of an export may lead besides the service's own. */
    linkHosts?: readonly string[]
  }
}

/** Budgets in milliseconds of whole calls, retries and waits included; for the export, the longest silence. */
interface ServiceTimeouts {
  /** A shopper waits for this call. */
  createMs: number
  readMs: number
  /** The longest wait for the beginning of the export, and then for each further part. */
  exportMs: number
  payoutMs: number
}

export const DEFAULT_TIMEOUTS: ServiceTimeouts = {
  createMs: 7_000,
  readMs: 5_000,
  exportMs: 60_000,
  payoutMs: 30_000,
}

export const DEFAULT_SCHEME = "SVC-HMAC"

/** Host names have at most this many characters. */
const LONGEST_QUOTED_HOST = 253

/** Builds the calls of one merchant at one address: their URLs, headers and signatures. */
export class Calls {
  /** A `#` field, so that printing a client does not print its secrets. */
  readonly #connection: ServiceConnection
  private readonly base: URL
  readonly timeouts: ServiceTimeouts

  /**
   * @param now the wall clock in milliseconds, for signatures
   * @throws PaymentServiceError `invalid` when the connection cannot be used as it is
   */
  constructor(
    connection: ServiceConnection,
    private readonly now: () => number
  ) {
    this.#connection = connection
    const { baseUrl, merchantId, secret, signingSecret, signatureScheme, timeouts } = connection
    this.base = parseBaseUrl(baseUrl)
    requireHeaderText(merchantId, "merchantId", "The merchant id")
    requireHeaderText(secret, "secret", "The merchant secret")
    requireHeaderText(signatureScheme ?? "-", "signatureScheme", "The signature's scheme")
    registerSecret(secret)
    if (signingSecret) registerSecret(signingSecret)
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...timeouts }
  }

  /** A call with the merchant key: the merchant id and the secret in two headers. */
  merchantCall(method: Call["method"], url: URL, options: CallSettings): Call {
    const { body, headers, ...rest } = options
    const { merchantId, secret } = this.#connection
    return {
      ...rest,
      method,
      url,
      logPath: url.pathname,
      scheme: "merchant key",
      body: body && Buffer.from(JSON.stringify(body)),
      headers: () => ({
        "X-MerchantId": merchantId,
        "X-Secret": secret,
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      }),
    }
  }

  /** A signed call, which the payout area asks for: the same bytes are signed and sent. */
  signedCall(
    method: Call["method"],
    url: URL,
    { idempotencyKey = "", body, ...rest }: SignedSettings
  ): Call {
    const { merchantId, signingSecret, signatureScheme: scheme = DEFAULT_SCHEME } = this.#connection
    if (!signingSecret) throw invalidRequest("The signing secret is not set", "signingSecret")

    const path = url.pathname
    const headers = () => {
      const timestamp = Math.floor(this.now() / 1000)
      const signature = sign(
        signingSecret,
        stringToSign({ method, path, timestamp, idempotencyKey, body })
      )
      return {
        Authorization: authorizationHeader({ scheme, merchantId, timestamp, signature }),
        ...(body && { "Idempotency-Key": idempotencyKey, "Content-Type": "application/json" }),
      }
    }
    return { ...rest, method, url, logPath: path, scheme: "signed", body, headers }
  }

  url(path: string, query: Query = {}): URL {
    const url = new URL(this.base.href)
    url.pathname += path.slice(1)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    return url
  }

  readCall(path: string, query: Query = {}): Call {
    const options = { effect: "read", budgetMs: this.timeouts.readMs } as const
    return this.merchantCall("GET", this.url(path, query), options)
  }

  /**
   * Builds the request for an export's file. A link may lead by https to the service's own host or to one of `export.linkHosts`,
   * and by http only from this machine to itself. Only the service's own address (`isOwnAddress`) gets the credentials; a link
   * that contains credentials is refused.
   */
  linkedFileCall(exportCall: Call, link: string): Call {
    const url = parseUrl(link, this.base.href)
    if (!url || url.username || url.password) {
      throw malformed(exportCall, "has a link that is not a plain address")
    }
    const staysHere =
      this.base.protocol === "http:" && isLoopback(this.base.hostname) && isLoopback(url.hostname)
    if (url.protocol !== "https:" && !(staysHere && url.protocol === "http:")) {
      throw malformed(exportCall, "has a link that does not begin with https:")
    }
    const { linkHosts = [] } = this.#connection.export ?? {}
    if (!staysHere && ![this.base.hostname, ...linkHosts].includes(url.hostname)) {
      const host = url.hostname.slice(0, LONGEST_QUOTED_HOST)
      throw linkRefused(exportCall, host)
    }
    const options = { effect: "read", budgetMs: exportCall.budgetMs } as const
    const call = this.isOwnAddress(url)
      ? this.merchantCall("GET", url, options)
      : { ...options, method: "GET" as const, url, headers: () => ({}), scheme: "none" as const }
    // The secrecy of its address may be the file's only protection, and a refusal may repeat the address.
    return { ...call, logPath: "(export file)", linkHost: url.hostname, unquotable: true }
  }

  /**
   * Whether a URL is the base address or below its path, at the same scheme, host and port: other paths of that host may belong
   * to others. A URL with an encoded slash does not count, since a proxy that decodes it may go up in the path.
   */
  private isOwnAddress(url: URL): boolean {
    return (
      url.origin === this.base.origin &&
      url.pathname.startsWith(this.base.pathname) &&
      !/%(?:2f|5c)/i.test(url.pathname)
    )
  }
}

type Query = Record<string, string | number | boolean | undefined>

type CallSettings = Pick<Call, "effect" | "budgetMs" | "confidential"> & {
  body?: object
  headers?: Record<string, string>
}

type SignedSettings = Pick<Call, "effect" | "budgetMs" | "body"> & { idempotencyKey?: string }

function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined
}

function parseBaseUrl(text: string): URL {
  const url = parseUrl(text)
  const hasMore = url && (url.username || url.password || url.search || url.hash)
  if (!url || !/^https?:$/.test(url.protocol) || hasMore) {
    throw invalidRequest("The base address is not a plain http(s) address", "baseUrl")
  }
  // With the slash, a relative link is resolved below the base address and not beside it.
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}

/** Requires visible ASCII, because other characters would end the header or be changed on the way. */
export function requireHeaderText(value: string, field: string, what: string): void {
  if (/^[!-~]+$/.test(value)) return
  throw invalidRequest(`${what} is empty or contains a space or a character outside ASCII`, field)
}

/** A time in the service's form. */
export function isoTime(time: Date, field: string): string {
  if (Number.isNaN(time.getTime())) throw invalidRequest(`The time "${field}" is not a time`, field)
  return time.toISOString()
}
