import http from "node:http"
import net from "node:net"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

import { readLimitedBody } from "../../../src/api/read-body"

const LIMIT = 1_024

/** The last request's body as it was read; an error is kept as a value. */
let outcome: Promise<Buffer | Error | null>
let startReading: () => void

const server = http.createServer((req, res) => {
  void readLimitedBody(req, LIMIT).then(
    (body) => {
      settle(body)
      res.writeHead(body ? 200 : 413, body ? {} : { connection: "close" }).end()
    },
    (error: unknown) => settle(error as Error)
  )
  startReading()
})
let settle: (value: Buffer | Error | null) => void
let reading: Promise<void>

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
beforeEach(() => {
  outcome = new Promise((resolve) => (settle = resolve))
  reading = new Promise((resolve) => (startReading = resolve))
})

const port = () => (server.address() as AddressInfo).port
function connect(head: string): net.Socket {
  const socket = net.connect(port(), "127.0.0.1")
  socket.on("error", () => undefined)
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`)
  return socket
}

it("puts chunks together, even when a letter is split between them", async () => {
  const socket = connect("transfer-encoding: chunked")
  await reading
  const letter = Buffer.from("я")
  for (const part of [letter.subarray(0, 1), letter.subarray(1)]) {
    socket.write(Buffer.concat([Buffer.from("1\r\n"), part, Buffer.from("\r\n")]))
    await pause(20)
  }
  socket.write("0\r\n\r\n")
  expect(String(await outcome)).toBe("я")
  socket.destroy()
})

it("refuses as soon as it is too much, without waiting for the end or believing a length", async () => {
  const socket = connect("transfer-encoding: chunked")
  socket.write(`${(LIMIT + 1).toString(16)}\r\n${"a".repeat(LIMIT + 1)}\r\n`)
  expect(await outcome).toBeNull()
  socket.destroy()
})
