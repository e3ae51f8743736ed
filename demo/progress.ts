/** Tells what the demo is doing, one line a step, with the time it took. */
export class Progress {
  private unfinished = false

  constructor(private readonly output: NodeJS.WriteStream) {}

  say(message: string): void {
    this.endLine()
    this.output.write(`${message}\n`)
  }

  async during<T>(title: string, work: () => Promise<T>): Promise<T> {
    const began = Date.now()
    this.output.write(`${title} … `)
    this.unfinished = true
    const result = await work()
    this.output.write(`${((Date.now() - began) / 1000).toFixed(1)} s\n`)
    this.unfinished = false
    return result
  }

  failed(): void {
    if (this.unfinished) this.output.write("failed\n")
    this.unfinished = false
  }

  private endLine(): void {
    if (this.unfinished) this.output.write("\n")
    this.unfinished = false
  }
}
