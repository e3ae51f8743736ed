/** A list that keeps the newest entries; the oldest are dropped first. */
export class BoundedList<T> {
  private entries: T[] = []

  constructor(private readonly maximum: number) {}

  add(entry: T): void {
    this.entries.push(entry)
    if (this.entries.length > this.maximum) this.entries.shift()
  }

  /** The oldest first. */
  all(): T[] {
    return [...this.entries]
  }

  /** The newest entries, newest first. */
  latest(count: number): T[] {
    return this.entries.slice(-count).reverse()
  }

  clear(): void {
    this.entries = []
  }
}

const KEPT_OF_A_BODY = 16 * 1024

/** The first 16 KB of a text, as a copy: a slice would keep the whole text in memory. */
export function beginning(text: string): string {
  return Buffer.from(text.slice(0, KEPT_OF_A_BODY)).subarray(0, KEPT_OF_A_BODY).toString("utf8")
}
