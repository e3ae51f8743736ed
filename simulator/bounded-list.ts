/** A list that keeps the newest entries, up to a number and a size in bytes; the oldest are dropped first. */
export class BoundedList<T> {
  private entries: ({ value: T; bytes: number } | undefined)[] = []
  /** Index of the oldest entry. Earlier places are dropped entries, which are cut off now and then. */
  private first = 0
  private bytes = 0

  constructor(
    private readonly maximum: number,
    private readonly maximumBytes: number
  ) {}

  /** Adds the newest entry, which is kept whatever its size. */
  add(value: T, bytes: number): void {
    this.entries.push({ value, bytes })
    this.bytes += bytes
    let count = this.entries.length - this.first
    while (count > 1 && (count > this.maximum || this.bytes > this.maximumBytes)) {
      this.bytes -= this.entries[this.first]?.bytes ?? 0
      this.entries[this.first++] = undefined
      count--
    }
    // Cutting off each dropped entry singly would move all the others each time.
    if (this.first > count) {
      this.entries.splice(0, this.first)
      this.first = 0
    }
  }

  /** The oldest first. */
  all(): T[] {
    return this.entries.flatMap((entry) => (entry ? [entry.value] : []))
  }

  /** The newest entries, newest first. */
  latest(count: number): T[] {
    return this.entries
      .slice(-count)
      .reverse()
      .flatMap((entry) => (entry ? [entry.value] : []))
  }

  clear(): void {
    this.entries = []
    this.first = 0
    this.bytes = 0
  }
}

const KEPT_OF_A_BODY = 16 * 1024

/** The first 16 KB of a text, as a copy: a slice would keep the whole text in memory. */
export function beginning(text: string): string {
  return Buffer.from(text.slice(0, KEPT_OF_A_BODY)).subarray(0, KEPT_OF_A_BODY).toString("utf8")
}
