import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

import { packedPackage, STOREFRONT } from "../package/tarball"
import { PATIENCE_MS } from "../patience"

const run = promisify(execFile)
const MOST_OUTPUT = 64 * 1024 * 1024

/** The Next.js shop of `shop/` in a folder of its own, outside of this repository and of its node_modules. */
export class NextShop {
  readonly folder = mkdtempSync(path.join(tmpdir(), "next-shop-"))
  private server: ChildProcess | undefined
  private output = ""

  constructor(readonly port: number) {}

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** Installs the shop's packages, and ours from its tarball. */
  async install(): Promise<void> {
    cpSync(path.join(__dirname, "shop"), this.folder, { recursive: true })
    const tarball = await packedPackage(STOREFRONT)
    const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball]
    // The registry, a proxy and its certificates may be said there.
    await this.run("npm", words, process.env)
  }

  /** Next.js writes what begins with `NEXT_PUBLIC_` into the pages, so they are built for one store. */
  async build(environment: Record<string, string>): Promise<void> {
    rmSync(path.join(this.folder, ".next"), { recursive: true, force: true })
    await this.run(process.execPath, [this.next, "build"], environment)
  }

  async start(): Promise<void> {
    this.output = ""
    const server = spawn(process.execPath, [this.next, "start", "--port", String(this.port)], {
      cwd: this.folder,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
    })
    this.server = server
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (this.output += text))
    }
    const giveUpAt = Date.now() + PATIENCE_MS
    while (!(await this.answers())) {
      if (server.exitCode !== null || Date.now() > giveUpAt) {
        throw new Error(`The shop does not start:\n${this.output}`)
      }
      await sleep(100)
    }
  }

  /** The output of the shop's server since it started. */
  get log(): string {
    return this.output
  }

  async stop(): Promise<void> {
    const { server } = this
    if (server && server.exitCode === null && server.signalCode === null) {
      server.kill("SIGTERM")
      await once(server, "exit")
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private get next(): string {
    return path.join(this.folder, "node_modules/next/dist/bin/next")
  }

  private get environment(): NodeJS.ProcessEnv {
    const { PATH, HOME, TMPDIR } = process.env
    return { PATH, HOME, TMPDIR, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" }
  }

  private async answers(): Promise<boolean> {
    return await fetch(`${this.url}/ru/cart`).then(
      ({ ok }) => ok,
      () => false
    )
  }

  private async run(
    program: string,
    words: string[],
    environment: NodeJS.ProcessEnv = {}
  ): Promise<void> {
    try {
      await run(program, words, {
        cwd: this.folder,
        // Types and TypeScript are among the development dependencies.
        env: { ...environment, ...this.environment, npm_config_include: "dev" },
        maxBuffer: MOST_OUTPUT,
      })
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
      throw new Error(`${words.slice(-2).join(" ")} failed:\n${stdout}\n${stderr}`, {
        cause: error,
      })
    }
  }
}
