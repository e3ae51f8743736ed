import { once } from "node:events"
import http from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"

import type { ExportReading } from "../export-reading"
import type { Benchmark } from "../figure"
import { readElsewhere } from "../read-elsewhere"
import { median, rounded } from "../statistics"

const PIECE_BYTES = 64 * 1024
const SHORT = 5_000

/** How the daily comparison reads the service's list, however long it is. */
export const exportReader: Benchmark = {
  name: "export-reader",
  title: "Reading an export",
  withoutStand: true,
  async run({ quick }) {
    const [count, rounds] = quick ? [20_000, 1] : [200_000, 5]
    const [list, short] = [listOf(count), listOf(SHORT)]
    const server = http.createServer((request, response) => {
      request.resume()
      Readable.from(piecesOf(request.url?.startsWith("/short/") ? short : list)).pipe(response)
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const taken = { by_record: [] as ExportReading[], in_one_go: [] as ExportReading[] }
    for (let round = 0; round < rounds; round++) {
      for (const how of ["by_record", "in_one_go"] as const) {
        const reading = await readElsewhere({
          how,
          url: `${origin}/long/`,
          shortUrl: `${origin}/short/`,
        })
        if (reading.records !== count)
          throw new Error(`Of ${count} records ${reading.records} came.`)
        taken[how].push(reading)
      }
    }
    server.close()

    const of = (how: keyof typeof taken, what: "seconds" | "memoryMb") =>
      median(taken[how].map((reading) => reading[what]))
    const how =
      `${count} records (${rounded(list.length / 2 ** 20)} MB) over HTTP, each reading in a process of its own ` +
      `that has read a short list before; median of ${rounds} in turns`
    const figure = (what: "seconds" | "memoryMb") => ({
      value: rounded(of("by_record", what)),
      yardstick: "all bytes, then JSON.parse",
      yardstick_value: rounded(of("in_one_go", what)),
      ratio: rounded(of("by_record", what) / of("in_one_go", what)),
      samples: rounds,
      details: { records: count, bytes: list.length },
    })
    return [
      {
        figure: "export_reader_time",
        unit: "s",
        measured: `exportTransactions, record by record: ${how}`,
        ...figure("seconds"),
      },
      {
        figure: "export_reader_memory",
        unit: "MB",
        measured: `the most memory of the process while it reads, less that before: ${how}`,
        ...figure("memoryMb"),
      },
    ]
  },
}

function listOf(count: number): Buffer {
  const records = Array.from({ length: count }, (_, index) => ({
    recordId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    createdAt: "2025-11-21 03:32:56",
    amount: index + 0.5,
    currencyCode: "RUB",
    status: "CONFIRMED",
    paymentMethod: "SBPQR",
    description: `Order ${index} of a shop with a name of usual length`,
    payload: `pstx_${String(index).padStart(26, "0")}`,
    merchantName: "A shop with a name of usual length",
    externalId: `external-${index}`,
    return: `https://shop.test/order/confirmed?session=${index}`,
  }))
  return Buffer.from(JSON.stringify(records))
}

function* piecesOf(list: Buffer) {
  for (let from = 0; from < list.length; from += PIECE_BYTES) {
    yield list.subarray(from, from + PIECE_BYTES)
  }
}
