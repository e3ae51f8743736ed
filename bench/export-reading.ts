// A process of its own for one reading of an export, so that its time and memory are nobody else's.
import axios from "axios"

import { PaymentServiceClient } from "../src/service/client"
import { readRecord } from "../src/service/schemas"
import { memoryOf } from "./machine"

/** The source to read, and the way: by the client, or all bytes first and then by one `JSON.parse`. */
export interface ExportToRead {
  how: "by_record" | "in_one_go"
  url: string
  /** A short list to begin with, so that code is compiled before it is measured. */
  shortUrl: string
}

export interface ExportReading {
  records: number
  seconds: number
  /** The most memory while it read, less that before, in MB. */
  memoryMb: number
}

const SAMPLE_MS = 5

async function readByRecord(url: string): Promise<number> {
  const client = new PaymentServiceClient({ baseUrl: url, merchantId: "bench", secret: "bench" })
  let records = 0
  for await (const batch of client.exportTransactions({ from: new Date(0), to: new Date() })) {
    records += batch.map(readRecord).filter(({ recordId }) => recordId).length
  }
  return records
}

async function readInOneGo(url: string): Promise<number> {
  const { data } = await axios.post<Buffer>(url, "{}", { responseType: "arraybuffer" })
  return (JSON.parse(data.toString()) as unknown[]).length
}

async function measure({ how, url, shortUrl }: ExportToRead): Promise<ExportReading> {
  const reading = how === "by_record" ? readByRecord : readInOneGo
  await reading(shortUrl)
  globalThis.gc?.()
  const before = memoryOf(process.pid)
  let most = before
  const look = () => (most = Math.max(most, memoryOf(process.pid)))
  const looking = setInterval(look, SAMPLE_MS)
  const began = performance.now()
  const records = await reading(url)
  const seconds = (performance.now() - began) / 1000
  look()
  clearInterval(looking)
  return { records, seconds, memoryMb: most - before }
}

process.once("message", (task: ExportToRead) => {
  void measure(task).then((reading) => process.send?.(reading, () => process.disconnect()))
})
