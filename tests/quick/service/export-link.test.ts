import {
  clientFor,
  collect,
  recordsOf,
  failureOf,
  json,
  KeptLog,
  MERCHANT,
  ScriptedService,
  SECRET,
  text,
  type ReceivedRequest,
} from "./scripted-service"

const service = new ScriptedService()
const other = new ScriptedService()
beforeAll(() => Promise.all([service.start(), other.start()]))
afterAll(() => Promise.all([service.stop(), other.stop()]))
beforeEach(() => other.answer(json(records)))

const span = { from: new Date("2025-11-01T00:00:00Z"), to: new Date("2025-11-30T00:00:00Z") }
const records = [
  {
    recordId: "00000000-0000-4000-8000-000000000000",
    amount: 1.5,
    currencyCode: "RUB",
    status: "CANCELED",
  },
]
const expected = [expect.objectContaining({ recordId: records[0]?.recordId, amount: "1.5" })]

function exported(prefix = "/gateway", logger = new KeptLog()) {
  return recordsOf(clientFor(service.origin + prefix, {}, { logger }).exportTransactions(span))
}

const written = (link: string) =>
  link.replace("SERVICE", service.origin).replace("OTHER", other.origin)

function expectCredentials({ headers }: ReceivedRequest) {
  expect(headers).toMatchObject({ "x-merchantid": MERCHANT, "x-secret": SECRET })
}

function expectNoCredentials({ headers, url }: ReceivedRequest) {
  const sent = JSON.stringify([headers, url])
  for (const name of [SECRET, MERCHANT, "x-secret", "x-merchantid", "authorization", "cookie"]) {
    expect(sent).not.toContain(name)
  }
}

describe("an export comes as a link to the service's own address, with the credentials", () => {
  it.each([
    ["in full", "SERVICE/gateway/1.json?sig=a%2Fb", "/gateway/1.json?sig=a%2Fb"],
    ["as JSON in white space", '\n "SERVICE/gateway/1.json" \n', "/gateway/1.json"],
    ["after a byte order mark", "\uFEFFSERVICE/gateway/1.json\n", "/gateway/1.json"],
    ["relative to the host", "/gateway/1.json", "/gateway/1.json"],
    ["relative to the base address", "files/1.json", "/gateway/files/1.json"],
  ])("%s", async (_name, link, asked) => {
    service.answer(text(written(link)), json(records))
    expect(await collect(exported())).toEqual(expected)
    expect(service.received).toHaveLength(2)
    expect(service.last).toMatchObject({ method: "GET", url: asked })
    expectCredentials(service.last)
  })
})

describe("an export comes as a link to the service's host elsewhere, without the credentials (promise 22)", () => {
  it.each([
    ["beside the base address", "/1.json", "/1.json"],
    ["with a path that only begins alike", "/gateway2/1.json", "/gateway2/1.json"],
    ["above it", "../1.json", "/1.json"],
    ["above it, encoded for a proxy", "x/..%2f..%2f1.json", "/gateway/x/..%2f..%2f1.json"],
    ["above it, by backslashes", "..\\1.json/", "/1.json/"],
  ])("%s", async (_name, link, asked) => {
    service.answer(text(link), json(records))
    expect(await collect(exported())).toEqual(expected)
    expect(service.last).toMatchObject({ method: "GET", url: asked })
    expectNoCredentials(service.last)
  })

  it("at another port, and the address is not logged", async () => {
    const log = new KeptLog()
    service.answer(text(`${other.origin}/gateway/token-abc.json?sig=def`))
    expect(await collect(exported("/gateway", log))).toEqual(expected)
    expectNoCredentials(other.last)
    expect(log.lines.join("\n")).toMatch(/GET \(export file\) 200/)
    expect(log.lines.join("\n")).not.toMatch(/token-abc|def/)
  })
})

describe("a link is not followed (promise 22)", () => {
  it.each([
    ["to another host", "https://files.test/1.json", /files\.test.*export\.linkHosts/],
    ["to another host by two slashes", "//files.test/1.json", /https:/],
    ["to a host that only ends alike", "https://x127.0.0.1.test/1.json", /linkHosts/],
    ["with a user", "http://user@127.0.0.1/gateway/1.json", /plain address/],
    ["of a file", "file:///etc/passwd", /https:/],
  ])("%s", async (_name, link, reason) => {
    service.answer(text(link), json(records))
    const error = await failureOf(collect(exported()))
    const isOption = String(reason).includes("linkHosts")
    expect(error).toMatchObject({ kind: isOption ? "link_refused" : "malformed" })
    expect(error.message).toMatch(reason)
    expect(service.received).toHaveLength(1)
  })

  it("to a second link", async () => {
    service.answer(text("/gateway/1.json"), text("/gateway/2.json"))
    expect(await failureOf(collect(exported()))).toMatchObject({ kind: "malformed" })
    expect(service.received).toHaveLength(2)
  })

  it.each([301, 307])("to where a redirect by %i leads", async (status) => {
    service.answer(text("/gateway/1.json"), text("", status, { location: `${other.origin}/` }))
    const error = await failureOf(collect(exported()))
    expect(error).toMatchObject({ kind: "malformed", httpStatus: status })
    expect(error.message).not.toContain("base address")
    expect(other.received).toHaveLength(0)
  })
})

it.each([
  ["https://files.invalid:8443/1", "unavailable"],
  ["https://FILES.invalid/1", "unavailable"],
  ["https://other.invalid/1", "link_refused"],
  ["https://sub.files.invalid/1", "link_refused"],
  ["https://files.invalid.test/1", "link_refused"],
  ["https://files.invalid@other.invalid/1", "malformed"],
  ["http://files.invalid/1", "malformed"],
])("the option export.linkHosts has files.invalid: %s is %s", async (link, kind) => {
  // Names below .invalid lead nowhere, which is as far as these links are to be followed here.
  service.answer(text(link))
  const client = clientFor(service.origin, { export: { linkHosts: ["files.invalid"] } })
  const error = await failureOf(collect(client.exportTransactions(span, { retries: 0 })))
  expect(error).toMatchObject({ kind })
})

describe("what a link's host refuses", () => {
  it.each([400, 401, 404])("by %i is no refusal of our credentials", async (status) => {
    const refusal = json({ message: "canary /gateway/token-abc" }, status)
    other.answer(refusal)
    for (const link of [`${other.origin}/1.json`, "/1.json", "/gateway/1.json"]) {
      service.answer(text(link), refusal)
      const error = await failureOf(collect(exported()))
      expect(error).toMatchObject({ kind: "file_refused", httpStatus: status })
      expect(error.message).toMatch(/^The host 127\.0\.0\.1, to which .* refused the file \(\d+\)$/)
    }
  })
})
