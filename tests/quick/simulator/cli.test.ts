import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"

import { closeAll } from "./running-simulator"

const ROOT = resolve(__dirname, "../../..")
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
  await closeAll()
})

const start = (...args: string[]) => run("simulator/cli.ts", ...args)

function run(...args: string[]) {
  const child = spawn(process.execPath, ["-r", "ts-node/register/transpile-only", ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  })
  children.push(child)
  const output = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()))
  return { child, output }
}

const finished = (...args: string[]) => ended(start(...args))

async function ended({ child, output }: ReturnType<typeof run>) {
  const [code] = (await once(child, "close")) as [number]
  return { code, ...output }
}

describe("medusa-payment-sbp-crypto-simulator (promise 24)", () => {
  it("prints one line of JSON when it listens, works as told, and ends on SIGTERM", async () => {
    const { child, output } = start(
      ...["--port", "0", "--merchant", "m-1", "--secret", "s-1", "--signing", "k-1"],
      ...["--scheme", "PAY-HMAC", "--callback", "http://127.0.0.1:1/hook", "--callback-body"],
      ...["array", "--status-paid", "PAID", "--expires-in", "60", "--repeated-key", "reject"],
      ...["--export-as", "link", "--public-url", "https://pay.example"]
    )
    while (!output.stdout.includes("\n")) await once(child.stdout, "data")
    const line = JSON.parse(output.stdout) as { url: string; port: number }
    expect(line).toEqual({
      url: `http://127.0.0.1:${line.port}`,
      port: expect.any(Number),
      merchantId: "m-1",
      secret: "s-1",
      signingSecret: "k-1",
      scheme: "PAY-HMAC",
      callbackUrl: "http://127.0.0.1:1/hook",
    })
    const summary = (await (await fetch(`${line.url}/__simulator`)).json()) as object
    expect(summary).toMatchObject({
      publicUrl: "https://pay.example",
      callbackBody: "array",
      statuses: { pending: "PENDING", paid: "PAID" },
      expiresInSeconds: 60,
      repeatedKey: "reject",
      exportAs: "link",
    })
    child.kill("SIGTERM")
    const [code] = (await once(child, "close")) as [number]
    expect(code).toBe(0)
    expect(output.stdout.split("\n")).toHaveLength(2)
    expect(output.stderr).toBe("")
  })

  it.each([
    [["--prot", "1"], "'--prot'"],
    [["--port", "70000"], "--port"],
    [["--export-as", "csv"], "--export-as"],
    [["now"], '"now"'],
  ])("answers %j with one sentence and code 2", async (args, named) => {
    const { code, stdout, stderr } = await finished(...args)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(named)
    expect(stderr.trim().split("\n")).toHaveLength(1)
  })

  it.each([["--host=0.0.0.0"], ["--host=", "--password="]])(
    "listens for other machines with a password only: %j",
    async (...words) => {
      const { code, stdout, stderr } = await finished(...words)
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(/^.*--password.*\n$/)
    }
  )
})
