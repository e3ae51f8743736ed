/** The parts that a process has started. They are stopped one by one, the last one first. */
export class RunningParts {
  private readonly parts: { name: string; stop: () => unknown }[] = []
  private stopped: Promise<void> | null = null

  /** Whether the parts are being stopped: a failure from then on is a consequence of that. */
  get isStopping(): boolean {
    return this.stopped !== null
  }

  /** @returns stops this part now; it may be called again */
  add(name: string, stop: () => unknown): () => Promise<void> {
    const part = { name, stop }
    this.parts.push(part)
    // The signal came while this part was starting.
    if (this.isStopping) void stop()
    return async () => {
      if (!this.parts.includes(part)) return
      this.parts.splice(this.parts.indexOf(part), 1)
      await stop()
    }
  }

  /** @param end stops all parts and ends the process */
  onSignals(end: () => Promise<unknown>): void {
    let asked = 0
    const ask = () => {
      asked += 1
      // Asked again by somebody who does not want to wait. What we started ends with us.
      if (asked > 1) process.exit(1)
      void end()
    }
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask)
    if (!process.env.npm_lifecycle_event) return
    // A SIGTERM for npm ends the shell between npm and us, and comes no further.
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      ask()
    }, 1000).unref()
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.stopAll())
  }

  private async stopAll(): Promise<void> {
    for (let part = this.parts.pop(); part; part = this.parts.pop()) {
      const { name, stop } = part
      await Promise.resolve()
        .then(stop)
        .catch((error: unknown) => console.error(`${name} did not stop well:`, error))
    }
  }
}
