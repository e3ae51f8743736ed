/**
 * What a process does between two moments at which others may come first, or at which it may die. `wait`
 * says that it goes on only after something else has happened.
 */
export type Steps<T = void> = Generator<"wait" | undefined, T, void>

/** What the modelled code throws where the real one would: something was refused, or did not answer. */
export class Refusal extends Error {}

/** Something that must never happen has happened; nothing in the model catches it. */
export class Violation extends Error {}

interface Process {
  id: number
  name: string
  steps: Steps<unknown>
}

/** Processes of one or several machines; which one goes on is up to whoever steps them. */
export class Processes {
  private readonly running: Process[] = []
  private started = 0
  /** The one that is being stepped. */
  private current: Process | null = null
  /** Counts what happened, so that it can be told what came first. */
  moment = 0

  get count(): number {
    return this.running.length
  }

  get currentId(): number {
    if (!this.current) throw new Error("Nothing is being stepped")
    return this.current.id
  }

  isAlive(id: number): boolean {
    return this.running.some((process) => process.id === id)
  }

  spawn(name: string, steps: Steps<unknown>): void {
    this.running.push({ id: ++this.started, name, steps })
  }

  /** @returns whether it did something, rather than wait */
  step(index: number): boolean {
    const process = this.running[index % this.running.length]
    if (!process) return false
    this.moment++
    this.current = process
    try {
      const { done, value } = process.steps.next()
      if (done) this.end(process)
      return done || value !== "wait"
    } catch (error) {
      this.end(process)
      if (!(error instanceof Refusal)) throw error
      return true
    } finally {
      this.current = null
    }
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
  runToEnd(onStandstill: () => void): void {
    for (let rounds = 0; this.running.length > 0; rounds++) {
      if (rounds > 10_000) {
        throw new Violation(`${this.running.map(({ name }) => name).join(", ")}: it never ends`)
      }
      let didSomething = false
      for (const process of [...this.running]) {
        const index = this.running.indexOf(process)
        if (index >= 0 && this.step(index)) didSomething = true
      }
      if (!didSomething) onStandstill()
    }
  }

  private end(process: Process): void {
    this.running.splice(this.running.indexOf(process), 1)
  }
}

/** Both at the same time, as core runs steps in parallel; waits for both, and fails with the first failure. */
export function* both(left: Steps, right: Steps): Steps {
  const unfinished = [left, right]
  let failure: Refusal | null = null
  while (unfinished.length > 0) {
    let isWaiting = true
    for (const steps of [...unfinished]) {
      try {
        const { done, value } = steps.next()
        if (done || value !== "wait") isWaiting = false
        if (done) unfinished.splice(unfinished.indexOf(steps), 1)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        unfinished.splice(unfinished.indexOf(steps), 1)
        failure ??= error
        isWaiting = false
      }
    }
    if (unfinished.length > 0) yield isWaiting ? "wait" : undefined
  }
  if (failure) throw failure
}

/** Runs it and says what it was refused with, if it was. */
export function* attempt(steps: Steps<unknown>): Steps<Refusal | null> {
  try {
    yield* steps
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
