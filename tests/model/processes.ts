import { MedusaError } from "@medusajs/framework/utils"

import { LockTimeoutError } from "../../src/workflows/completion/cart-lock"

/** A refusal of core, our module or the service in the model. */
export class Refusal extends Error {}

/** Something that must never happen has happened. It ends the story, whoever catches it. */
export class Violation extends Error {}

/** A moment at which a process stands: others may come first, or it may die there. */
interface Pause {
  goOn: () => void
  /** Whether it need not wait any longer. */
  isOver: () => boolean
}

type AnyFunction = (...given: unknown[]) => Promise<unknown>

interface Process {
  id: number
  name: string
  /** The moment at which it began. */
  since: number
  /** Where it stands; in several places when it does several things at a time. */
  pauses: Pause[]
}

/**
 * Processes of one or several machines, which run the plugin's own functions. Each call of a port is a pause
 * (`inSteps`), and whoever steps the processes says which of them goes on: nothing else moves one, so that the
 * same story always happens in the same way.
 */
export class Processes {
  private readonly running: Process[] = []
  private started = 0
  /** The one that is being stepped. */
  private current: Process | null = null
  /** An error that no code may swallow: a broken rule, or a mistake in the model or in the code. */
  private failure: unknown = null
  /** Counts what happened, so that it can be told what came first. */
  moment = 0

  get count(): number {
    return this.running.length
  }

  get currentId(): number {
    if (!this.current) throw new Error("Nothing is being stepped")
    return this.current.id
  }

  /** The moment at which the one began that is being stepped. */
  get currentSince(): number {
    if (!this.current) throw new Error("Nothing is being stepped")
    return this.current.since
  }

  isAlive(id: number): boolean {
    return this.running.some((process) => process.id === id)
  }

  spawn(name: string, work: () => Promise<unknown>): void {
    const process: Process = { id: ++this.started, name, since: this.moment, pauses: [] }
    this.running.push(process)
    const end = () => {
      this.end(process)
    }
    const run = () => void this.noticing(work).then(end, end)
    process.pauses.push({ goOn: run, isOver: () => true })
  }

  /** The current process goes on when it is stepped again and, if it waits for something, that has come. */
  async pause(isOver: () => boolean = () => true): Promise<void> {
    const { current } = this
    if (!current) throw new Error("Nothing is being stepped")
    await new Promise<void>((goOn) => current.pauses.push({ goOn, isOver }))
  }

  /** Ends the story with a rule that was broken, where the code would catch it. */
  fail(violation: Violation): void {
    this.failure ??= violation
  }

  /** The same functions, each with a pause before it. */
  inSteps<T extends object>(functions: T): T {
    const inSteps = Object.entries(functions as Record<string, AnyFunction>).map(([name, run]) => [
      name,
      (...given: unknown[]) =>
        this.noticing(async () => {
          await this.pause()
          return await run(...given)
        }),
    ])
    return Object.fromEntries(inSteps) as T
  }

  /** @returns whether it did something, rather than wait */
  async step(index: number): Promise<boolean> {
    const process = this.running[index % this.running.length]
    const next = process?.pauses.findIndex(({ isOver }) => isOver()) ?? -1
    const [pause] = next < 0 ? [] : (process?.pauses.splice(next, 1) ?? [])
    if (!process || !pause) return false
    this.moment++
    this.current = process
    pause.goOn()
    await everythingGoesAsFarAsItCan()
    this.current = null
    if (this.failure) throw this.failure as Error
    return true
  }

  /** It dies where it stands: nothing is put right, nothing is given back. */
  kill(index: number): void {
    const process = this.running[index % this.running.length]
    if (process) this.end(process)
  }

  killAll(): void {
    this.running.length = 0
  }

  /** Steps all in turn until none is left; `onStandstill` must let those go on that all wait. */
  async runToEnd(onStandstill: () => void): Promise<void> {
    for (let rounds = 0; this.running.length > 0; rounds++) {
      if (rounds > 10_000) {
        throw new Violation(`${this.running.map(({ name }) => name).join(", ")}: it never ends`)
      }
      let didSomething = false
      for (const process of [...this.running]) {
        const index = this.running.indexOf(process)
        if (index >= 0 && (await this.step(index))) didSomething = true
      }
      if (!didSomething) onStandstill()
    }
  }

  private async noticing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isExpected =
        error instanceof Refusal ||
        error instanceof LockTimeoutError ||
        MedusaError.isMedusaError(error)
      if (!isExpected) this.failure ??= error
      throw error
    }
  }

  private end(process: Process): void {
    const index = this.running.indexOf(process)
    if (index >= 0) this.running.splice(index, 1)
  }
}

/** All promises are settled that can be, because ticks come after them. */
async function everythingGoesAsFarAsItCan(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.nextTick(resolve)
  })
}

/** Runs it and says what it was refused with, if it was. */
export async function attempt(work: Promise<unknown>): Promise<Error | null> {
  return await work.then(
    () => null,
    (error: unknown) => error as Error
  )
}
