import { type ChildProcess, fork } from "node:child_process"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import type { LabelledPoint as OurPoint } from "../../src/database/labelled-points"

import { PATIENCE_MS } from "../patience"

const KEPT_LINES = 150

/** Ours, and those of core's that store-process.cjs labels. */
export type LabelledPoint =
  OurPoint | "core:order made" | "core:order linked" | "core:payment stored" | "core:not told yet"

/** Somebody waits at a labelled point. */
export interface Arrival {
  point: LabelledPoint
  /** The address of the request in which it happens, or "watch". */
  actor: string
  release: () => void
}

/** One running process of a store. */
export class StoreInstance {
  readonly url: string
  /** Its output, the latest line last. */
  readonly log: string[] = []
  /** Orders that it has told the shop of, by the event that a completed cart ends in. */
  readonly told: string[] = []
  /** Settles when the process is gone, whoever ended it. */
  readonly ended: Promise<void>
  /** Told of everybody who waits at a labelled point, while arrivals are held. */
  onArrival: (arrival: Arrival) => void = () => undefined
  private readonly child: ChildProcess
  private readonly waiting = new Map<
    number,
    { resolve: (answer: unknown) => void; reject: (error: Error) => void }
  >()
  private questions = 0

  constructor(
    readonly name: string,
    port: number,
    environment: NodeJS.ProcessEnv
  ) {
    this.url = `http://localhost:${port}`
    this.child = fork(path.join(__dirname, "store-process.cjs"), {
      cwd: path.resolve(__dirname, "../.."),
      env: { ...environment, PORT: String(port) },
      // Of jest's flags this one, which tests/run.mjs explains, is meant for a store, too.
      execArgv: ["--initial-heap-size=512"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    })
    for (const output of [this.child.stdout, this.child.stderr]) {
      output?.setEncoding("utf8").on("data", (text: string) => {
        this.log.push(...text.split("\n").filter((line) => line.trim()))
        this.log.splice(0, this.log.length - KEPT_LINES)
      })
    }
    this.child.on("message", (message) => this.hear(message as Message))
    this.ended = new Promise((resolve) => {
      this.child.once("close", () => {
        for (const { reject } of this.waiting.values()) reject(new Error(`${name} is gone`))
        this.waiting.clear()
        resolve()
      })
    })
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** A worker listens too, and answers nothing but this. */
  async ready(): Promise<void> {
    // A busy machine takes minutes to load all of Medusa.
    const giveUpAt = Date.now() + 3 * PATIENCE_MS
    while (!(await answers(`${this.url}/health`))) {
      if (!this.isRunning || Date.now() > giveUpAt) {
        throw new Error(`${this.name} does not start:\n${this.log.join("\n")}`)
      }
      await sleep(50)
    }
  }

  /** The process dies as soon as somebody comes to this point. */
  async killAt(point: LabelledPoint): Promise<void> {
    await this.ask("stopAt", { point, actor: "", kill: true })
  }

  /** The first request with this text in its address goes no further than to this point. */
  async parkAt(point: LabelledPoint, actor: string): Promise<void> {
    await this.ask("stopAt", { point, actor, kill: false })
  }

  /** From now on everybody waits at every labelled point until released; `false` lets all of them go. */
  async holdArrivals(hold: boolean): Promise<void> {
    await this.ask("holdArrivals", hold)
  }

  /** kill -9 */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL")
    await this.ended
  }

  /** Asks the process one of the questions of store-process.cjs. */
  async ask<T>(question: string, ...args: unknown[]): Promise<T> {
    const id = ++this.questions
    return await new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject })
      this.child.send({ id, ask: question, args }, (error) => {
        if (error) reject(error)
      })
    })
  }

  private hear({ id, answer, error, arrived, told }: Message): void {
    if (told !== undefined) this.told.push(told)
    if (arrived) {
      const { point, actor, number } = arrived
      this.onArrival({ point, actor, release: () => this.child.send({ release: number }) })
    }
    if (id === undefined) return
    const asker = this.waiting.get(id)
    this.waiting.delete(id)
    if (error === undefined) asker?.resolve(answer)
    else asker?.reject(new Error(error))
  }
}

interface Message {
  id?: number
  answer?: unknown
  error?: string
  told?: string
  arrived?: { point: LabelledPoint; actor: string; number: number }
}

async function answers(address: string): Promise<boolean> {
  return await fetch(address).then(
    ({ ok }) => ok,
    () => false
  )
}
