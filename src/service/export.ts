import type { Readable } from "node:stream"
import { type Call, type CallOptions, isLoopback, limitedTo, type ServiceCaller } from "./call"
import { connectionFailure, malformed, PaymentServiceError } from "./errors"
import { elementsOf } from "./json-array"
import { jsonIn } from "./refusal"

const LONGEST_LINK = 8 * 1024

/**
 * Requests an export and hands on its records as they come, with all their fields and values. By the specification, the reply is
 * "either a link to the file or the array of records"; a link is followed once. The time-out limits each silence of the service.
 */
export async function* downloadExport(
  caller: ServiceCaller,
  exportCall: Call,
  options: CallOptions
): AsyncGenerator<unknown[], void, undefined> {
  let call = exportCall
  for (;;) {
    const body = await caller.call<Readable>(call, options, async (stream) => stream)
    try {
      const texts = textsOf(call, body, options)
      const beginning = await beginningOf(call, texts)
      if (beginning.startsWith("[")) {
        yield* recordsOf(call, beginning, texts)
        return
      }
      if (call !== exportCall) throw malformed(call, "is not an array of records")
      call = fileCall(caller, call, await linkIn(call, beginning, texts))
    } finally {
      body.destroy()
    }
  }
}

async function* recordsOf(call: Call, beginning: string, rest: AsyncGenerator<string, void>) {
  let count = 0
  try {
    for await (const records of elementsOf(following(beginning, rest))) {
      count += records.length
      yield records
    }
  } catch (error) {
    if (error instanceof PaymentServiceError) throw error
    const isTooLarge = error instanceof RangeError
    throw malformed(
      call,
      isTooLarge ? "has a record of more than 4 MB" : `is not complete JSON after ${count} records`
    )
  }
}

/** The reply's text up to and with the first piece that is not only white space. */
async function beginningOf(call: Call, texts: AsyncGenerator<string, void>): Promise<string> {
  let skipped = 0
  for (;;) {
    const { value } = await texts.next()
    const text = value?.replace(/^[ \t\r\n]+/, "")
    if (text) return text
    skipped += value?.length ?? 0
    if (value === undefined || skipped > LONGEST_LINK) throw malformed(call, "is empty")
  }
}

async function linkIn(
  call: Call,
  beginning: string,
  rest: AsyncGenerator<string, void>
): Promise<string> {
  let text = beginning
  for await (const more of rest) {
    text += more
    if (text.length > LONGEST_LINK) break
  }
  const link = text.startsWith('"') ? jsonIn(text) : text.trimEnd()
  // A word or a page of HTML is not an address, and must not be resolved against ours.
  const isLink = typeof link === "string" && /^[^\s<>{}"]*\/[^\s<>{}"]*$/.test(link)
  if (!isLink || link.length > LONGEST_LINK) {
    throw malformed(call, "is neither an array of records nor a link")
  }
  return link
}

/**
 * The call for an export's file. A link may lead by https to the service's own host or to one of `export.linkHosts`, and by
 * http only from this machine to itself; a link that contains credentials is refused.
 */
function fileCall({ base, linkHosts }: ServiceCaller, exportCall: Call, link: string): Call {
  const url = URL.canParse(link, base.href) ? new URL(link, base.href) : null
  if (!url || url.username || url.password) {
    throw malformed(exportCall, "has a link that is not a plain address")
  }
  const staysHere =
    base.protocol === "http:" && isLoopback(base.hostname) && isLoopback(url.hostname)
  if (url.protocol !== "https:" && !(staysHere && url.protocol === "http:")) {
    throw malformed(exportCall, "has a link that does not begin with https:")
  }
  if (!staysHere && !linkHosts.includes(url.hostname)) {
    throw new PaymentServiceError(
      "link_refused",
      `The Payment Service's export has a link to ${url.hostname}, which is neither its own host nor in the option export.linkHosts`,
      { detail: url.hostname }
    )
  }
  return {
    method: "GET",
    url,
    effect: "read",
    budgetMs: exportCall.budgetMs,
    linkHost: url.hostname,
    // A refusal may repeat the address.
    isUnquotable: true,
  }
}

async function* following(beginning: string, rest: AsyncGenerator<string, void>) {
  yield beginning
  yield* rest
}

/** The reply's text as it comes. Only the wait for each piece is limited, not the time that the consumer takes. */
async function* textsOf(
  call: Call,
  body: Readable,
  { timeoutMs = call.budgetMs, signal }: CallOptions
) {
  const decoder = new TextDecoder()
  const chunks = (body as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]()
  for (;;) {
    const limit = limitedTo(call, timeoutMs, signal)
    const stop = () => body.destroy(limit.signal.reason as PaymentServiceError)
    limit.signal.addEventListener("abort", stop)
    let chunk: Buffer | undefined
    try {
      if (limit.signal.aborted) stop()
      chunk = (await chunks.next()).value
    } catch (error) {
      throw error instanceof PaymentServiceError ? error : connectionFailure(call, error)
    } finally {
      limit.signal.removeEventListener("abort", stop)
      limit.release()
    }
    const text = decoder.decode(chunk, { stream: chunk !== undefined })
    if (text) yield text
    if (!chunk) return
  }
}
