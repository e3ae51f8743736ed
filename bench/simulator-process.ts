import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { createInterface } from "node:readline"

import axios, { type AxiosInstance } from "axios"

import type { Fault, RecordedRequest, SimulatedTransaction } from "../simulator"

/** The account at the simulator. */
interface Account {
  merchantId: string
  secret: string
}

/**
 * The simulator in a process of its own: neither the store nor what measures it shares its time with it.
 * Driven by its control routes, which are no calls to the service and are not counted as such.
 */
export class SimulatorProcess {
  private readonly control: AxiosInstance

  private constructor(
    readonly url: string,
    readonly account: Account,
    readonly stop: () => Promise<void>
  ) {
    this.control = axios.create({ baseURL: `${url}/__simulator` })
  }

  /** One that another process of ours has started, and will stop. */
  static at(url: string, account: Account): SimulatorProcess {
    return new SimulatorProcess(url, account, () => Promise.resolve())
  }

  static async start(account: Account): Promise<SimulatorProcess> {
    const child = spawn(
      process.execPath,
      [
        "--require",
        path.join(__dirname, "../demo/exit-with-parent.cjs"),
        "--require",
        require.resolve("ts-node/register/transpile-only"),
        path.join(__dirname, "../simulator/cli.ts"),
        "--merchant",
        account.merchantId,
        `--secret=${account.secret}`,
        // Longer than any run: nothing expires while it is measured.
        "--expires-in",
        "86400",
      ],
      // A process group of its own: Ctrl-C reaches us only, and we stop things in order.
      { stdio: ["ignore", "pipe", "inherit", "ipc"], detached: true, windowsHide: true }
    )
    const ended = once(child, "exit")
    const stop = async () => {
      child.kill("SIGTERM")
      await ended
    }
    if (!child.stdout) throw new Error("The simulator was started without an output to read.")
    for await (const line of createInterface(child.stdout)) {
      const { url } = JSON.parse(line) as { url: string }
      return new SimulatorProcess(url, account, stop)
    }
    throw new Error("The simulator ended before it listened.")
  }

  /** Headers by which the service knows its merchant. */
  get credentials(): Record<string, string> {
    return { "X-MerchantId": this.account.merchantId, "X-Secret": this.account.secret }
  }

  /** Open transactions that no client asked for. */
  async addTransactions(
    count: number,
    amount: number,
    createdAt = Date.now()
  ): Promise<SimulatedTransaction[]> {
    const { data } = await this.control.post<SimulatedTransaction[]>("/transactions", {
      amount,
      times: count,
      createdAt,
    })
    return data
  }

  /** Where it tells of what becomes of its transactions; null for nowhere. */
  async callBack(url: string | null): Promise<void> {
    await this.control.put("/callback", { url })
  }

  /** Paid, and told; resolves when the callback was answered. */
  async pay(transactionId: string): Promise<void> {
    await this.control.post(`/transactions/${transactionId}/pay`, {})
  }

  /** Paid, and nobody is told. */
  async paySilently(transactionId: string): Promise<void> {
    await this.control.post(`/transactions/${transactionId}/pay`, { callback: false })
  }

  /** Each read of a transaction is answered after this long. */
  async answerReadsAfter(delayMs: number): Promise<void> {
    const fault: Omit<Fault, "times"> & { times: "always" } = {
      on: "get",
      kind: "slow",
      delayMs,
      times: "always",
    }
    await this.control.post("/faults", fault)
  }

  async answerAtOnce(): Promise<void> {
    await this.control.delete("/faults")
  }

  /** Calls to the service since they were last forgotten; it remembers the last 10,000. */
  async requests(on?: "create" | "get"): Promise<RecordedRequest[]> {
    const { data } = await this.control.get<RecordedRequest[]>("/requests", { params: { on } })
    return data
  }

  async forgetRequests(): Promise<void> {
    await this.control.delete("/requests")
  }
}
