import type { Readable } from "node:stream"
import {
  type Call,
  type CallOptions,
  isLoopback,
  limited,
  mayUseHttp,
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
      if (beginning.startsWith("[")) {
        yield* recordsOf(call, reply)
        return
      }
      if (call !== exportCall) throw malformed(call, "is not an array of records")
      call = fileCall(client, call, await linkIn(call, reply))
    } finally {
      body.destroy()
    }
  }
}

async function* following(beginning: string, rest: AsyncIterable<string>) {
  yield beginning
  yield* rest
}

async function* recordsOf(call: Call, texts: AsyncIterable<string>) {
  let count = 0
  try {
    for await (const records of elementsOf(texts)) {
      count += records.length
      yield records
    }
  } catch (error) {
    if (error instanceof PaymentServiceError) throw error
    if (error instanceof RangeError) throw malformed(call, "has a record of more than 4 MB")
    throw malformed(call, `is not complete JSON after ${count} records`)
  }
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
  const staysHere = base.protocol === "http:" && mayUseHttp(base.hostname) && isSameMachine
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
  let skipped = 0
  for (let isBeginning = true; ;) {
    const chunk = await limited(call, timeoutMs, signal, async (limit) => {
      const stop = () => body.destroy(limit.reason as PaymentServiceError)
      limit.addEventListener("abort", stop)
      if (limit.aborted) stop()
      return (await chunks.next()).value
    })
    let text = decoder.decode(chunk, { stream: chunk !== undefined })
    if (isBeginning) {
      skipped += text.length
      text = text.replace(/^[ \t\r\n]+/, "")
      if (text === "" && skipped > LONGEST_LINK) throw malformed(call, "is empty")
    }
    if (text) yield text
    if (!chunk) return
    isBeginning &&= text === ""
  }
}

/** A larger element is refused; in characters. */
const LARGEST_ELEMENT = 4 * 1024 * 1024

/**
 * The elements of a JSON array in batches, as its text comes. Its brackets and commas are followed only to find where elements end;
 * those that have ended are parsed together. `texts` begins with its first bracket.
 * @throws RangeError for an element of more than 4 MB; SyntaxError when the text is no JSON or ends too early
 */
export async function* elementsOf(
  texts: AsyncIterable<string>
): AsyncGenerator<unknown[], void, undefined> {
  /** The text that is not parsed yet: elements behind the bracket or comma before them. */
  let unparsed = ""
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isComplete = false
  for await (const text of texts) {
    let parsableUpTo = 0
    for (let index = 0; index < text.length && !isComplete; index++) {
      const sign = text[index]
      if (isEscaped) isEscaped = false
      else if (sign === "\\") isEscaped = isInString
      else if (sign === '"') isInString = !isInString
      else if (isInString) continue
      else if (sign === "," && depth === 1) parsableUpTo = unparsed.length + index
      else if (sign === "[" || sign === "{") depth++
      else if (sign === "]" || sign === "}") {
        isComplete = --depth === 0
        if (isComplete) parsableUpTo = unparsed.length + index + 1
      }
    }
    unparsed += text
    if (parsableUpTo > 0) {
      const elements = parsed(unparsed.slice(0, parsableUpTo) + (isComplete ? "" : "]"))
      // An array that is complete may be followed by white space only, which `[]` may be, too.
      unparsed = (isComplete ? "[]" : "") + unparsed.slice(parsableUpTo)
      if (elements.length > 0) yield elements
    }
    if (unparsed.length > LARGEST_ELEMENT) throw new RangeError("an element is too large")
  }
  JSON.parse(unparsed)
}

/** The elements of an array, or of a later part of one, which begins with a comma. */
function parsed(part: string): unknown[] {
  if (!part.startsWith(",")) return JSON.parse(part) as unknown[]
  return (JSON.parse(`[0${part}`) as unknown[]).slice(1)
}
