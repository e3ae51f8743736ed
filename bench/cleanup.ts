import { whenNpmIsGone } from "../demo/npm-process"

/** Stops the bench's parts at the end, on a failure and on Ctrl-C: the last started first. */
export class Cleanup {
  /** Aborted as soon as somebody asks us to stop. */
  readonly signal: AbortSignal
  private readonly interrupted = new AbortController()
  private readonly parts: { name: string; stop: () => unknown }[] = []
  private stopping: Promise<void> | null = null

  constructor() {
    this.signal = this.interrupted.signal
    const interrupt = () => {
      this.interrupted.abort()
      void this.stop().then(() => process.exit(130))
    }
    let asked = 0
    const ask = () => {
      asked += 1
      // Asked again by somebody who does not want to wait. What we started ends with us.
      if (asked > 1) process.exit(130)
      interrupt()
    }
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask)
    whenNpmIsGone(interrupt)
  }

  /** @returns stops this part now; it may be called again */
  add(name: string, stop: () => unknown): () => Promise<void> {
    const part = { name, stop }
    this.parts.push(part)
    // The signal came while this part was starting.
    if (this.stopping) void stop()
    return async () => {
      if (!this.parts.includes(part)) return
      this.parts.splice(this.parts.indexOf(part), 1)
      await stop()
    }
  }

  stop(): Promise<void> {
    this.stopping ??= (async () => {
      for (let part = this.parts.pop(); part; part = this.parts.pop()) {
        const { name, stop } = part
        await Promise.resolve()
          .then(stop)
          .catch((error: unknown) => console.error(`${name} did not stop well:`, error))
      }
    })()
    return this.stopping
  }
}
