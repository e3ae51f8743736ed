import { MedusaError } from "@medusajs/framework/utils"

import { Accounts } from "../../../src/settings/accounts"
import { readFileOptions, resolveOptions } from "../../../src/settings/resolve-options"
import { PaymentServiceError } from "../../../src/service/errors"
import { redact, redactingLogger, type ServiceLogger } from "../../../src/service/redact"

const MERCHANT = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
const OTHER_MERCHANT = "1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"

const shared = {
  baseUrl: "https://pay.test",
  statuses: { paid: ["Done"] },
  successUrl: "https://shop.test/ok",
  failureUrl: "https://shop.test/no",
  backendUrl: "https://store.test",
}

function aLog() {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const logger: ServiceLogger = { debug: write, info: write, warn: write, error: write }
  return { lines, logger }
}

/** A configuration that a test changes before it takes the accounts in it. */
function configured() {
  const main: Record<string, unknown> = { merchantId: MERCHANT, secret: "the-first-secret" }
  const second: Record<string, unknown> = { merchantId: OTHER_MERCHANT, secret: "the-other-secret" }
  const options: Record<string, unknown> & { accounts: Record<string, object> } = {
    ...structuredClone(shared),
    // Core adds values that refer to themselves.
    database: Object.assign([], { self: [] as unknown[] }),
    accounts: { main, second },
  }
  Object.assign(options.database as object, { self: options.database })
  return {
    options,
    main,
    second,
    take: () => new Accounts(resolveOptions(readFileOptions(options)), aLog().logger),
  }
}

it("the account of a provider is its own also while that is incomplete, and nobody pays at another one", () => {
  const file = readFileOptions({ ...shared, merchantId: MERCHANT, secret: "the-first-secret" })
  const take = (options: object) => {
    const stored = [{ account: "second", options: { ...options }, secrets: {} }]
    return new Accounts(resolveOptions(file, stored), aLog().logger)
  }
  expect(take({ description: "{items}" }).find("second")).toMatchObject({ merchantId: MERCHANT })
  // Its own names of statuses contradict one another.
  const begun = take({ "statuses.canceled": ["Done"] })
  expect(begun.find("second")).toBeNull()
  expect(begun.find("main")).toMatchObject({ merchantId: MERCHANT })
})

describe("the account of a row", () => {
  const at = (base_url: string, account = "main", merchant_id = MERCHANT) => ({
    id: "pstx_1",
    account,
    base_url,
    merchant_id,
  })

  it("is another one that leads to its old address, and none once there is no such account (promise 26)", () => {
    const { options, main, take } = configured()
    main.baseUrl = "https://new-pay.test"
    const without = take()
    expect(without.findForRow(at(shared.baseUrl))).toBeNull()
    expect(() => without.getForRow(at(shared.baseUrl))).toThrow(
      expect.objectContaining({ type: MedusaError.Types.NOT_ALLOWED })
    )
    expect(without.getForRow(at("https://new-pay.test"))).toBe(without.get("main"))

    options.accounts.old = { merchantId: MERCHANT, secret: "the-first-secret" }
    const accounts = take()
    expect(accounts.getForRow(at(shared.baseUrl))).toBe(accounts.get("old"))
    // An account that was renamed, or is gone.
    expect(accounts.getForRow(at(shared.baseUrl, "gone"))).toBe(accounts.get("old"))
    expect(accounts.findForRow(at(shared.baseUrl, "main", OTHER_MERCHANT))).toBe(
      accounts.get("second")
    )
  })
})

it("has its secrets masked in errors and logs before any call is made (promise 22)", () => {
  const { options, main, second, take } = configured()
  Object.assign(main, { secret: "canary-1-key", signingSecret: "canary-1-signs" })
  Object.assign(second, { secret: "canary-2-key", signingSecret: "canary-2-signs" })
  options.callbackToken = "canary-0-of-the-address"
  const secrets = ["canary-0-of-the-address", "canary-1-key", "canary-1-signs"]
  secrets.push("canary-2-key", "canary-2-signs")
  const text = secrets.join(" | ")
  expect(redact(text)).toBe(text)

  take()
  const masked = secrets.map(() => "***").join(" | ")
  expect(redact(text)).toBe(masked)
  expect(new PaymentServiceError("invalid", text).message).toBe(masked)
  const { lines, logger } = aLog()
  redactingLogger(logger).error(text)
  expect(lines).toEqual([masked])

  second.secret = "canary-3-key"
  take()
  // A payment that is under way may still show the one before.
  expect(redact("canary-2-key, then canary-3-key")).toBe("***, then ***")
})
