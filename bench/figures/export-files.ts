import { once } from "node:events"
import http from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"

import type { AxiosInstance } from "axios"

import type { ExportReading } from "../export-reading"
import type { Benchmark, Figure } from "../figure"
import { memoryOf } from "../machine"
import { readElsewhere } from "../read-elsewhere"
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

/** An admin takes the service's whole list, and that of the store, as a file: how long it takes, and its cost to the store. */
export const exportFiles: Benchmark = {
  name: "export-files",
  title: "Exporting the lists of the service and of the store as files",
  async run(stand, { quick, rows }): Promise<Figure[]> {
    const [count, rounds] = quick ? [20_000, 1] : [rows ?? 1_000_000, 3]
    const ours = Math.ceil(count / OURS)
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
    const taken = new Map(FILES.map((file): [File, ExportReading[]] => [file, []]))
    const parsed: ExportReading[] = []
    const selected: number[] = []
    for (let round = 0; round < rounds; round++) {
      parsed.push(
        await readElsewhere({ how: "in_one_go", url: `${url}/long/`, shortUrl: `${url}/short/` })
      )
      selected.push(await secondsToSelect(database))
      for (const [file, readings] of taken) readings.push(await exported(store, admin, file))
    }
    await store.stop()
    server.close()

    const inTurns = `median of ${rounds} in turns`
    return [...taken].flatMap(([{ source, format }, readings]) => {
      const isService = source === "service"
      const parsing = "reading all bytes, then JSON.parse"
      return figuresOf(readings, {
        name: isService ? `export_${format}` : `export_store_${format}`,
        expected: isService ? count : ours,
        longestTimes: isService && !quick ? LONGEST_TIMES[format] : Infinity,
        asked: `GET exports/transactions.${format}?source=${source}`,
        how: isService
          ? `${count} records (${rounded(list.length / 2 ** 20)} MB) over HTTP, one in ${OURS} of a transaction of the store; ${inTurns}`
          : `${ours} transactions of the store; ${inTurns}`,
        seconds: isService
          ? [parsing, median(parsed.map(({ seconds }) => seconds))]
          : ["bare pg, all rows by one statement", median(selected)],
        memoryMb: isService
          ? [parsing, median(parsed.map(({ memoryMb }) => memoryMb))]
          : ["the goal", MEMORY_GOAL_MB],
      })
    })
  },
}

interface Measured {
  name: string
  /** The number of records that the file must have. */
  expected: number
  /** The goal of its time, in times of the yardstick. */
  longestTimes: number
  asked: string
  how: string
  /** The yardsticks of its time and its memory. */
  seconds: [name: string, value: number]
  memoryMb: [name: string, value: number]
}

/** Why the run has to count as failed, or null. */
function failureOf(
  readings: ExportReading[],
  { name, expected, longestTimes, seconds: [yardstick, parsing] }: Measured
): string | null {
  const wrong = readings.find(({ records }) => records !== expected)
  if (wrong) return `${name}: the file has ${wrong.records} of ${expected} records.`
  const seconds = median(readings.map((reading) => reading.seconds))
  const isSlow = seconds > longestTimes * parsing
  return isSlow ? `${name} took more than ${longestTimes} times as long as ${yardstick}.` : null
}

function figuresOf(readings: ExportReading[], measured: Measured): Figure[] {
  const { name, expected, asked, how } = measured
  const failure = failureOf(readings, measured)
  const compared = (what: "seconds" | "memoryMb") => {
    const value = median(readings.map((reading) => reading[what]))
    const [yardstick, yardstickValue] = measured[what]
    return {
      value: rounded(value),
      yardstick,
      yardstick_value: rounded(yardstickValue),
      ratio: rounded(value / yardstickValue),
      samples: readings.length,
    }
  }
  const perSecond = (seconds: number) => Math.round(expected / seconds)
  return [
    {
      figure: `${name}_time`,
      unit: "s",
      measured: `${asked} until its last byte: ${how}`,
      ...compared("seconds"),
      ...(failure === null ? {} : { failure }),
      details: {
        records: expected,
        per_second: perSecond(median(readings.map(({ seconds }) => seconds))),
        yardstick_per_second: perSecond(measured.seconds[1]),
      },
    },
    {
      figure: `${name}_memory`,
      unit: "MB",
      measured: `the most memory of the store while it exports, less that before: ${how}`,
      ...compared("memoryMb"),
      details: { records: expected },
    },
  ]
}

/** Takes one file as fast as it comes. */
async function exported(
  store: RunningStore,
  admin: AxiosInstance,
  { source, format }: File
): Promise<ExportReading> {
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

/** The time that all transactions of the store take to come out of Postgres. */
async function secondsToSelect({ client }: Database): Promise<number> {
  const began = performance.now()
  await client.query("select * from payment_service_transaction order by opened_at desc, id desc")
  return (performance.now() - began) / 1000
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
