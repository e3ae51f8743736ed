import type { IncomingHttpHeaders } from "node:http"

import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { replaceSessionData } from "../../../src/api/around-core"
import { PAYMENT_SERVICE_MODULE } from "../../../src/modules/payment-service"
import { MedusaReader } from "../../../src/medusa/reader"

/** No collection here is an order's. */
beforeEach(() => {
  jest.spyOn(MedusaReader.prototype, "findOrderId").mockResolvedValue(null)
})

const ADDRESS = "/store/payment-collections/pay_col_01/payment-sessions?fields=id"
/** Our own key that is always there: milliseconds. */
const BY_THEN = { answer_by: expect.any(Number) as number }

interface Sent {
  providerId?: unknown
  data?: unknown
  ip?: string
  headers?: IncomingHttpHeaders
}

const FORGED = {
  payer_ip: "198.51.100.66",
  answer_by: 1,
  transaction_id: "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01",
  session_id: "payses_of_somebody",
  amount: "0.01",
  redirect: "https://evil.test",
}

/** Runs the middleware with `payer.ip` as given; what the route's handler then finds in the body. */
async function replaced(
  payerIp: string,
  { providerId = "pp_sbp_main", data = FORGED, ...sent }: Sent
) {
  const body: Record<string, unknown> = { provider_id: providerId, data, other: "kept" }
  const accounts: string[] = []
  const resolve = (key: string) => {
    expect(key).toBe(PAYMENT_SERVICE_MODULE)
    return {
      accounts: () =>
        Promise.resolve({
          find: (account: string) => {
            accounts.push(account)
            return { payer: { ip: payerIp } }
          },
        }),
      leases: { hold: (_name: string, _times: object, work: () => Promise<void>) => work() },
      // Nothing was ever paid for this cart.
      openings: { findOthers: () => Promise.resolve({ paid: null, watched: [] }) },
    }
  }
  const req = {
    body,
    headers: sent.headers ?? {},
    ip: sent.ip,
    params: { id: "pay_col_01" },
    url: ADDRESS,
    scope: { resolve },
  }
  const res = { statusCode: 200, closed: false, end: () => undefined }
  const next = jest.fn(() => res.end())
  await replaceSessionData(req as unknown as MedusaRequest, res as unknown as MedusaResponse, next)
  expect(next).toHaveBeenCalledTimes(1)
  expect(next).toHaveBeenCalledWith()
  expect(req.url).toBe(ADDRESS)
  return { body, accounts }
}

it("gives a request eight and a half seconds from when it is let in (promise 10)", async () => {
  jest.useFakeTimers({ now: 1_000_000 })
  try {
    const { body } = await replaced("off", { data: FORGED })
    expect(body.data).toEqual({ answer_by: 1_008_500 })
  } finally {
    jest.useRealTimers()
  }
})

it.each(["pp_system_default", "pp_stripe_stripe", "pp_sbpx_main", null])(
  "leaves the data of other providers alone: %p",
  async (providerId) => {
    const { body, accounts } = await replaced("request", { providerId, ip: "203.0.113.7" })
    expect([body.data, accounts]).toEqual([FORGED, []])
  }
)

describe("the payer's address (promise 22)", () => {
  const chain = "198.51.100.66, 203.0.113.8"
  const connection = { ip: "203.0.113.7", headers: { "x-real-ip": "203.0.113.9" } }
  const real = (address: string | string[]) => ({ headers: { "x-real-ip": address } }) as Sent
  it.each<[string, string, Sent, string | null]>([
    ["off: not even when it is there", "off", connection, null],
    ["request: what the connection says", "request", connection, "203.0.113.7"],
    ["request: IPv6", "request", { ip: "2001:db8::7" }, "2001:db8::7"],
    ["request: IPv4 at a socket for both", "request", { ip: "::ffff:203.0.113.7" }, "203.0.113.7"],
    ["request: unknown", "request", {}, null],
    ["header: what the proxy says, not the connection", "x-real-ip", connection, "203.0.113.9"],
    ["header of a chain", "x-real-ip", real(chain), "203.0.113.8"],
    ["header sent twice", "x-real-ip", real(["203.0.113.10", "203.0.113.9"]), "203.0.113.9"],
    ["header missing: not the connection either", "x-other", { ip: "203.0.113.7" }, null],
    ["header that is no address", "x-real-ip", real("unknown"), null],
    ["header with a port", "x-real-ip", real("203.0.113.9:51008"), "203.0.113.9"],
    ["header with IPv6 and a port", "x-real-ip", real("[2001:db8::7]:443"), "2001:db8::7"],
    ["header with too much", "x-real-ip", real("999.0.113.9"), null],
  ])("%s", async (_, source, sent, payer_ip) => {
    const data = payer_ip === null ? {} : { payer_ip }
    expect((await replaced(source, sent)).body.data).toEqual({ ...BY_THEN, ...data })
  })
})
