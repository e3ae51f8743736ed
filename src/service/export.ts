import type { Readable } from "node:stream"
import {
  type Call,
  type CallOptions,
  isLoopback,
  limited,
  type PaymentServiceClient,
} from "./client"
import { jsonIn, malformed, PaymentServiceError } from "./errors"

const LONGEST_LINK = 8 * 1024

/** Does `exportTransactions`. The reply is "either a link to the file or the array of records" (specification); one link is followed. */
export async function* downloadExport(
  client: PaymentServiceClient,
  exportCall: Call,
  options: CallOptions
): AsyncGenerator<unknown[], void, undefined> {
  let call = exportCall
  for (;;) {
    const body = await client.call<Readable>(call, options, async (stream) => stream)
    try {
      const texts = textsOf(call, body, options)
      const { value: beginning } = await texts.next()
      if (beginning === undefined) throw malformed(call, "is empty")
      const reply = following(beginning, texts)
      if (beginning.startsWith("[")) return yield* elementsOf(reply)
      if (call !== exportCall) throw malformed(call, "is not an array of records")
      call = fileCall(client, call, await linkIn(call, reply))
    } catch (error) {
      if (error instanceof RangeError) throw malformed(call, "has a record of more than 4 MB")
      throw error instanceof SyntaxError ? malformed(call, "is not complete JSON") : error
    } finally {
      body.destroy()
    }
  }
}

async function* following(beginning: string, rest: AsyncIterable<string>) {
  yield beginning
  yield* rest
}

async function linkIn(call: Call, texts: AsyncIterable<string>): Promise<string> {
  let text = ""
  for await (const more of texts) {
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

/** A link may lead by https to the service's own host or one of `export.linkHosts`, by http only to the machine that was asked by http. */
function fileCall({ base, linkHosts }: PaymentServiceClient, exportCall: Call, link: string): Call {
  const url = URL.canParse(link, base.href) ? new URL(link, base.href) : null
  if (!url || url.username || url.password) {
    throw malformed(exportCall, "has a link that is not a plain address")
  }
  const isSameMachine =
    url.hostname === base.hostname || (isLoopback(base.hostname) && isLoopback(url.hostname))
  const staysHere = base.protocol === "http:" && isSameMachine
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
  const { effect, budgetMs } = exportCall
  const to = { url: url.href, linkHost: url.hostname }
  // A refusal may repeat the address.
  return { method: "GET", ...to, effect, budgetMs, isUnquotable: true }
}

/** The reply's text as it comes, without white space at its beginning. Only the wait for each piece is limited. */
async function* textsOf(
  call: Call,
  body: Readable,
  { timeoutMs = call.budgetMs, signal }: CallOptions
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  const chunks = (body as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]()
  for (let isBeginning = true; ;) {
    const chunk = await limited(call, timeoutMs, signal, async (limit) => {
      const stop = () => body.destroy(limit.reason as PaymentServiceError)
      limit.addEventListener("abort", stop)
      if (limit.aborted) stop()
      return (await chunks.next()).value
    })
    let text = decoder.decode(chunk, { stream: chunk !== undefined })
    if (isBeginning) text = text.trimStart()
    if (text) yield text
    if (!chunk) return
    isBeginning &&= text === ""
  }
}

/** A larger element is refused; in characters. */
const LARGEST_ELEMENT = 4 * 1024 * 1024

/** A string, of which a piece of text may have only the beginning, or a sign between elements. */
const STRING_OR_SIGN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{},]/gs

/**
 * The elements of a JSON array in batches, as its text comes. Strings and signs are followed only to find the last comma between two
 * elements; those before it are parsed together. `texts` begins with the array's bracket.
 * @throws RangeError for an element of more than 4 MB; SyntaxError when the text is no JSON or ends too early
 */
export async function* elementsOf(
  texts: AsyncIterable<string>
): AsyncGenerator<unknown[], void, undefined> {
  /** The text that is not parsed yet, as an array without its end. */
  let unparsed = ""
  for await (const text of texts) {
    unparsed += text
    let depth = 0
    let end = 0
    for (const { 0: found, index } of unparsed.matchAll(STRING_OR_SIGN)) {
      if (found === "[" || found === "{") depth++
      else if (found === "]" || found === "}") depth--
      else if (found === "," && depth === 1) end = index
    }
    if (end > 0) {
      yield JSON.parse(`${unparsed.slice(0, end)}]`) as unknown[]
      unparsed = `[${unparsed.slice(end + 1)}`
    }
    if (unparsed.length > LARGEST_ELEMENT) throw new RangeError("an element is too large")
  }
  yield JSON.parse(unparsed) as unknown[]
}
