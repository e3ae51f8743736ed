import type { Readable } from "node:stream"
import type { Call, CallOptions, ServiceCaller } from "./call"
import { malformed } from "./errors"
import { readExport } from "./export-stream"

/** Requests an export, follows its link if the service answers with one, and hands on the parts of the array of records. */
export async function* downloadExport<Part>(
  caller: ServiceCaller,
  exportCall: Call,
  options: CallOptions,
  partsOf: (
    call: Call,
    array: AsyncGenerator<Buffer, void>
  ) => AsyncGenerator<Part, void, undefined>
): AsyncGenerator<Part, void, undefined> {
  let call = exportCall
  for (;;) {
    const body = await caller.call<Readable>(call, options, async (stream) => stream)
    try {
      const { timeoutMs: silenceMs = call.budgetMs, signal } = options
      const reply = await readExport(call, body, { silenceMs, signal })
      if ("array" in reply) {
        yield* partsOf(call, reply.array)
        return
      }
      if (call !== exportCall) throw malformed(call, "is not an array of records")
      call = caller.linkedFileCall(call, reply.link)
    } finally {
      body.destroy()
    }
  }
}
