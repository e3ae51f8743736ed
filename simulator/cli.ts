#!/usr/bin/env node
import { parseArgs } from "node:util"

import { help } from "./help"
import { startSimulator, type SimulatorOptions } from "./index"

/** A mistake in the command line, explained in one sentence. */
class UsageError extends Error {}

function parseCommand(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: "string" },
        host: { type: "string" },
        password: { type: "string" },
        "public-url": { type: "string" },
        merchant: { type: "string" },
        "merchant-name": { type: "string" },
        secret: { type: "string" },
        signing: { type: "string" },
        scheme: { type: "string" },
        callback: { type: "string" },
        "callback-body": { type: "string" },
        "status-pending": { type: "string" },
        "status-paid": { type: "string" },
        "status-canceled": { type: "string" },
        "status-expired": { type: "string" },
        "status-reversed": { type: "string" },
        "expires-in": { type: "string" },
        "repeated-key": { type: "string" },
        "export-as": { type: "string" },
        "usdt-rate": { type: "string" },
        "require-user-id": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    })
  } catch (error) {
    // The first sentence names the flag; the rest explains parseArgs to programmers.
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${message.split(/\. |\n/)[0]?.replace(/\.$/, "")}.`)
  }
}

type Values = ReturnType<typeof parseCommand>["values"]

function optionsFrom(values: Values): SimulatorOptions {
  return {
    port: number(values, "port", (value) => Number.isInteger(value) && value < 65_536) ?? 0,
    host: values.host,
    password: values.password,
    publicUrl: webAddress(values, "public-url"),
    merchantId: values.merchant,
    merchantName: values["merchant-name"],
    secret: values.secret,
    signingSecret: values.signing,
    scheme: values.scheme,
    callbackUrl: webAddress(values, "callback"),
    callbackBody: oneOf(values, "callback-body", ["flat", "nested", "array"] as const),
    statuses: {
      pending: values["status-pending"],
      paid: values["status-paid"],
      canceled: values["status-canceled"],
      expired: values["status-expired"],
      reversed: values["status-reversed"],
    },
    expiresInSeconds: number(values, "expires-in", (value) => value > 0),
    repeatedKey: oneOf(values, "repeated-key", ["same", "reject"] as const),
    exportAs: oneOf(values, "export-as", ["array", "link"] as const),
    usdtRate: number(values, "usdt-rate", (value) => value > 0),
    requireUserId: values["require-user-id"],
  }
}

function number(
  values: Values,
  name: "port" | "expires-in" | "usdt-rate",
  isAllowed: (value: number) => boolean
): number | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  if (!/^\d+(\.\d+)?$/.test(given) || !isAllowed(Number(given))) {
    throw new UsageError(`--${name} cannot be "${given}".`)
  }
  return Number(given)
}

function webAddress(values: Values, name: "public-url" | "callback"): string | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw new UsageError(`--${name} must be an http or https address, not "${given}".`)
  }
  return given
}

function oneOf<T extends string>(
  values: Values,
  name: "callback-body" | "repeated-key" | "export-as",
  allowed: readonly T[]
): T | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  const found = allowed.find((value) => value === given)
  if (!found) throw new UsageError(`--${name} must be ${allowed.join(" or ")}, not "${given}".`)
  return found
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args)
  if (values.help) {
    process.stdout.write(help())
    return
  }
  const [extra] = positionals
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`)

  const simulator = await startSimulator(optionsFrom(values))
  const { url, port, merchantId, secret, signingSecret, scheme } = simulator
  process.stdout.write(
    `${JSON.stringify({ url, port, merchantId, secret, signingSecret, scheme, callbackUrl: values.callback ?? null })}\n`
  )
  const stop = () => void simulator.close().then(() => process.exit(0))
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

function sentenceFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port, address } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
  }
  if (code === "EADDRINUSE") {
    return `Port ${port} is taken by another program; choose another one with --port.`
  }
  if (code === "EACCES") return `Port ${port} may not be used by this user; choose one above 1023.`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `Cannot listen on ${address ?? "that host"}: it is not an address of this machine.`
  }
  return error.message
}

// An import of this file starts nothing.
if (require.main === module) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    const isUsage = error instanceof UsageError
    process.stderr.write(`${isUsage ? `${error.message} See --help.` : sentenceFor(error)}\n`)
    process.exitCode = isUsage ? 2 : 1
  })
}
