import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A service that answers an export as a test says, and tells what became of the download. */
export interface ExportingService {
  url: string
  /** Answers exports from now on. */
  answer: (response: ServerResponse, request: IncomingMessage) => void | Promise<void>
  /** Downloads that were begun, and those whose connection ended before the answer did. */
  begun: number
  brokenOff: number
  close: () => Promise<void>
}

export async function exportingService(): Promise<ExportingService> {
  const server = createServer((request, response) => {
    request.resume()
    service.begun++
    response.once("close", () => {
      if (!response.writableFinished) service.brokenOff++
    })
    void Promise.resolve(service.answer(response, request)).catch(() => response.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const service: ExportingService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (response) => void response.end("[]"),
    begun: 0,
    brokenOff: 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
  return service
}

/** A record of the service's list. */
export const recordAt = (index: number, changes: object = {}) => ({
  recordId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  createdAt: "2020-03-01 12:30:00",
  amount: index + 0.5,
  currencyCode: "RUB",
  status: "CONFIRMED",
  paymentMethod: "SBPQR",
  description: `Order ${index} of a shop with a name of usual length`,
  payload: "",
  ...changes,
})

/** Sends a list of so many records, as fast as they are taken. */
export async function sendRecords(
  response: ServerResponse,
  count: number,
  changes: Partial<Record<string, unknown>> = {}
): Promise<void> {
  const PIECE = 500
  for (let from = 0; from < count; from += PIECE) {
    const records = Array.from({ length: Math.min(PIECE, count - from) }, (_, index) =>
      JSON.stringify({ ...recordAt(from + index), ...changes })
    )
    if (response.destroyed) return
    const isTaken = response.write((from ? "," : "[") + records.join(","))
    if (!isTaken) await drainedOrClosed(response)
  }
  response.end("]")
}

/** Takes away both listeners afterwards: a response that drains often would gather them. */
async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const over = new AbortController()
  const either = ["drain", "close"].map((event) => once(response, event, { signal: over.signal }))
  await Promise.race(either)
  over.abort()
  await Promise.allSettled(either)
}

/** Far from today: comparisons look at the last days. */
let year = 1980

/** When a year begins in which the service has no records: the simulator keeps what other tests have added. */
export function startOfUnusedYear(): Date {
  return new Date(Date.UTC(year++, 0, 1))
}
