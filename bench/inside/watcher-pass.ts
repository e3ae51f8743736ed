import type { ExecArgs } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import axios from "axios"

import type { PaymentServiceModuleService as Module } from "../../src/modules/payment-service"
import type * as Settle from "../../src/payments/queue"
import { addOpenTransactions } from "../open-transactions"
import { SimulatorProcess } from "../simulator-process"
import { median } from "../statistics"
import { builtFile, inputOf, type InsideInput, openCollection, openPayment, report } from "./shop"

export interface WatcherPass {
  seconds: number
  calls: number
  /** Of one read of the service, as bare axios sees it. */
  latencyMs: number
  /** Of this process. */
  cpuSeconds: number
}

/** Carts that the open payments belong to: enough that they are not always the same few rows. */
const CARTS = 40
const WARM_UP = 200
const LATENCY_SAMPLES = 30

/** Run by `medusa exec`, whose jobs do not run: only this pass looks at the payments. */
export default async function measure({ container, args }: ExecArgs): Promise<void> {
  const input = inputOf(args) as InsideInput & {
    count: number
    latencyMs: number
    /** Sets the rows of this run apart from those of an earlier one. */
    run: string
  }
  const file = builtFile("payments/queue")
  const { queueOf } = (await import(file)) as typeof Settle
  const module = container.resolve<Module>("payment_service")
  const accounts = await module.accounts()
  Object.assign(accounts.store.watcher, { readsPerSecond: Infinity })
  const queue = queueOf(module)
  const settleDue = async () => {
    queue.takeUpBacklog()
    await queue.idle()
  }
  const simulator = SimulatorProcess.at(input.simulator.url, input.simulator.account)
  const sql = container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION)
  const { count } = input
  const run = async (statement: string, parameters: unknown[]) =>
    // Knex counts its parameters by question marks.
    await sql.raw(statement.replaceAll(/\$\d+/g, "?"), parameters)

  for (let cart = 0; cart < CARTS; cart++) {
    await openPayment(container, await openCollection(container, input.shop))
  }
  await run("update payment_service_transaction set watch_at = null where watch_at is not null", [])
  await addOpenTransactions(run, simulator, {
    count: WARM_UP,
    watch: "due",
    prefix: `warm_${input.run}`,
  })
  await settleDue()
  await run("update payment_service_transaction set watch_at = null where watch_at is not null", [])

  const ids = await addOpenTransactions(run, simulator, {
    count,
    watch: "due",
    prefix: `watched_${input.run}`,
  })
  await simulator.answerReadsAfter(input.latencyMs)
  const latencies = await latenciesOf(simulator, ids)
  await simulator.forgetRequests()

  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  await settleDue()
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)

  const calls = (await simulator.requests("get")).length
  // On a busy machine some are due again before the last of them was read.
  if (calls < count) throw new Error(`${count} were due, and there were ${calls} calls.`)
  latencies.push(...(await latenciesOf(simulator, ids)))
  await simulator.answerAtOnce()
  await report(input, {
    seconds,
    calls,
    latencyMs: median(latencies),
    cpuSeconds: (user + system) / 1_000_000,
  } satisfies WatcherPass)
}

interface Knex {
  raw: (statement: string, parameters: unknown[]) => Promise<unknown>
}

async function latenciesOf(simulator: SimulatorProcess, ids: string[]): Promise<number[]> {
  const latencies: number[] = []
  for (const id of ids.slice(0, LATENCY_SAMPLES)) {
    const began = performance.now()
    await axios.get(`${simulator.url}/transaction/${id}`, { headers: simulator.credentials })
    latencies.push(performance.now() - began)
  }
  return latencies
}
