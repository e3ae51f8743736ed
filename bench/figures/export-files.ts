import { execFile } from "node:child_process"
import { once } from "node:events"
import http from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

import type { AxiosInstance } from "axios"

import type { Benchmark, Figure } from "../figure"
import { memoryOf } from "../machine"
import type { Database, RunningStore, Stand } from "../stand"
import { median, rounded } from "../statistics"

type File = (typeof FILES)[number]
const FORMATS = ["json", "csv", "xlsx"] as const
const FILES = (["service", "store"] as const).flatMap((source) =>
  FORMATS.map((format) => ({ source, format }))
)

const PIECE_BYTES = 64 * 1024
const BLOCK = 1024 * 1024
const SHORT = 5_000
const SAMPLE_MS = 50
/** The most memory over idle that an export may take. */
const MEMORY_GOAL_MB = 150
/** The longest that a file of very many records of the service may take, in times of `JSON.parse` of the same bytes. */
const LONGEST_TIMES = { json: 5, csv: 20, xlsx: Infinity }
/** So many of the service's records belong to a transaction of ours: one in five. */
const OURS = 5

interface Taken {
  records: number
  seconds: number
  /** The most memory of the store meanwhile, less that before, in MB. */
  memoryMb: number
}

/** An admin takes the service's whole list, and that of the store, as a file: how long it takes, and its cost to the store. */
export const exportFiles: Benchmark = {
  name: "export-files",
  title: "Exporting the lists of the service and of the store as files",
  async run(stand, { quick, rows }): Promise<Figure[]> {
    const [count, rounds] = quick ? [20_000, 1] : [rows ?? 1_000_000, 3]
    const [list, short] = [listOf(count), listOf(SHORT)]
    let served = short
    const server = http.createServer((request, response) => {
      request.resume()
      Readable.from(piecesOf(request.url?.startsWith("/short/") ? short : served)).pipe(response)
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const database = await stand.database()
    await addRows(stand, database, count, url)
    const store = await stand.startStore(database, { serviceUrl: url })
    const admin = await stand.adminRequests(store)

    // Code that is compiled once and kept belongs to the idle store.
    for (const file of FILES) await exported(store, admin, file)
    served = list
    const taken = new Map(FILES.map((file): [File, Taken[]] => [file, []]))
    const parsed: number[] = []
    for (let round = 0; round < rounds; round++) {
      parsed.push(await secondsToParse(url))
      for (const [file, files] of taken) files.push(await exported(store, admin, file))
    }
    await store.stop()
    server.close()

    const parsing = median(parsed)
    return [...taken].flatMap(([{ source, format }, files]) => {
      const isService = source === "service"
      const name = isService ? `export_${format}` : `export_store_${format}`
      const expected = isService ? count : Math.ceil(count / OURS)
      const wrong = files.find(({ records }) => records !== expected)
      if (wrong) throw new Error(`${name}: the file has ${wrong.records} of ${expected} records.`)
      const how =
        `GET exports/transactions.${format}?source=${source}, median of ${rounds} in turns: ` +
        (isService
          ? `${count} records (${rounded(list.length / 2 ** 20)} MB) over HTTP, one in ${OURS} of a transaction of the store`
          : `${expected} transactions of the store`)
      const seconds = median(files.map((file) => file.seconds))
      const memoryMb = median(files.map((file) => file.memoryMb))
      const longest = isService && !quick ? LONGEST_TIMES[format] * parsing : Infinity
      const details = { records: expected, per_second: Math.round(expected / seconds) }
      const memory: Figure = {
        figure: `${name}_memory`,
        value: rounded(memoryMb),
        unit: "MB",
        yardstick: "the goal",
        yardstick_value: MEMORY_GOAL_MB,
        ratio: rounded(memoryMb / MEMORY_GOAL_MB),
        samples: rounds,
        measured: `the most memory of the store while it exports, less that before: ${how}`,
        details,
      }
      if (!isService) return [memory]
      const time: Figure = {
        figure: `${name}_time`,
        value: rounded(seconds),
        unit: "s",
        yardstick: "reading all bytes, then JSON.parse",
        yardstick_value: rounded(parsing),
        ratio: rounded(seconds / parsing),
        samples: rounds,
        measured: `until the last byte: ${how}`,
        details,
        ...(seconds > longest ? { failure: `${name} took longer than ${longest} s.` } : {}),
      }
      return [time, memory]
    })
  },
}

async function secondsToParse(url: string): Promise<number> {
  const program = path.join(__dirname, "../parse-export.mjs")
  const addresses = [`${url}/long/`, `${url}/short/`]
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...addresses])
  return Number(stdout)
}

/** Takes one file as fast as it comes. */
async function exported(
  store: RunningStore,
  admin: AxiosInstance,
  { source, format }: File
): Promise<Taken> {
  // Garbage of the export before is collected by itself, sooner or later.
  await sleep(3_000)
  const before = memoryOf(store.pid)
  let most = before
  const looking = setInterval(() => (most = Math.max(most, memoryOf(store.pid))), SAMPLE_MS)
  const began = performance.now()
  const period = { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }
  const { data } = await admin.get<Readable>(
    `/admin/payment-service/exports/transactions.${format}`,
    { params: { source, ...(source === "service" ? period : {}) }, responseType: "stream" }
  )
  data.resume()
  await once(data, "end")
  const seconds = (performance.now() - began) / 1000
  clearInterval(looking)
  return { records: await rowsOfLast(admin), seconds, memoryMb: most - before }
}

/** The number of rows that the last export has had. */
async function rowsOfLast(admin: AxiosInstance): Promise<number> {
  const { data } = await admin.get<{ exports: { rows: number }[] }>(
    "/admin/payment-service/exports?limit=1"
  )
  return data.exports[0]?.rows ?? 0
}

const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`

/** Transactions of the store that some of the records belong to. */
async function addRows(
  { simulator: { account } }: Stand,
  { client }: Database,
  count: number,
  url: string
): Promise<void> {
  await client.query(
    `insert into payment_service_transaction (id, account, base_url, merchant_id, method, session_id,
       payment_collection_id, amount, currency, description, transaction_id, state, status,
       published_state, read_amount, read_currency, opened_at, paid_at, settled_at)
     select 'pstx_bench_' || number, 'main', $1, $2, 'sbp', 'payses_bench_' || number,
       'pay_col_bench_' || number, '100', 'RUB', 'Tea', key, 'paid', 'CONFIRMED', 'paid',
       '100', 'RUB', now() - number * interval '1 second', now(), now()
     from (select number, '00000000-0000-4000-8000-' || lpad(number::text, 12, '0') as key
       from generate_series(0, $3::int - 1, ${OURS}) as number) of_list`,
    [url, account.merchantId, count]
  )
  await client.query("analyze payment_service_transaction")
}

function listOf(count: number): Buffer {
  // A buffer for each record would take more memory than the list.
  const blocks: Buffer[] = []
  let block = "["
  for (let index = 0; index < count; index++) {
    const record = {
      recordId: idOf(index),
      createdAt: "2025-11-21 03:32:56",
      amount: index + 0.5,
      currencyCode: "RUB",
      status: "CONFIRMED",
      paymentMethod: "SBPQR",
      description: `Order ${index} of a shop with a name of usual length`,
      payload: `pstx_${String(index).padStart(26, "0")}`,
    }
    block += (index ? "," : "") + JSON.stringify(record)
    if (block.length > BLOCK) {
      blocks.push(Buffer.from(block))
      block = ""
    }
  }
  return Buffer.concat([...blocks, Buffer.from(`${block}]`)])
}

function* piecesOf(list: Buffer) {
  for (let from = 0; from < list.length; from += PIECE_BYTES) {
    yield list.subarray(from, from + PIECE_BYTES)
  }
}
