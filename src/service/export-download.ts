import type { Readable } from "node:stream"
import type { Call, CallOptions } from "./call"
import { malformed } from "./call-failures"
import { type Calls, isoTime } from "./calls"
import { readExport } from "./export-stream"
import type { Transport } from "./transport"

/** Selects the transactions of an export. */
export interface ExportFilter {
  /** Numeric codes written as text; none means all. */
  statuses?: string[]
  /** Numeric codes written as text; none means all. */
  paymentMethods?: string[]
  from: Date
  to: Date
  /** By default `UTC`. */
  timeZoneId?: string
}

/** Requests an export, follows its link if the service answers with one, and hands on the parts of the array of records. */
export async function* downloadExport<Part>(
  calls: Calls,
  transport: Transport,
  filter: ExportFilter,
  options: CallOptions,
  partsOf: (
    call: Call,
    array: AsyncGenerator<Buffer, void>
  ) => AsyncGenerator<Part, void, undefined>
): AsyncGenerator<Part, void, undefined> {
  const exportCall = calls.merchantCall("POST", calls.url("/transaction/export/json"), {
    effect: "read",
    budgetMs: calls.timeouts.exportMs,
    body: {
      statuses: filter.statuses ?? [],
      paymentMethods: filter.paymentMethods ?? [],
      from: isoTime(filter.from, "from"),
      to: isoTime(filter.to, "to"),
      timeZoneId: filter.timeZoneId ?? "UTC",
    },
    headers: { accept: "text/plain" },
  })
  let call = exportCall
  for (;;) {
    const body = await transport.request<Readable>(call, options, async (stream) => stream)
    try {
      const { timeoutMs: silenceMs = call.budgetMs, signal } = options
      const reply = await readExport(call, body, { silenceMs, signal })
      if ("array" in reply) {
        yield* partsOf(call, reply.array)
        return
      }
      if (call !== exportCall) throw malformed(call, "is not an array of records")
      call = calls.linkedFileCall(call, reply.link)
    } finally {
      body.destroy()
    }
  }
}
