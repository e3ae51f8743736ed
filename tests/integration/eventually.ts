import { PATIENCE_MS } from "../patience"

/** So many of the store's last lines say why something did not come. */
const MOST_LINES = 12

let log: readonly string[] = []

/** Fails with the last warnings of this log from now on. */
export function explainBy(lines: readonly string[]): void {
  log = lines
}

/** Waits until `check` answers something, and fails with what was waited for. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | null | undefined | false>
): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS
  // Less and less often: who looks all the time takes the time from what is looked for.
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 150)) {
    const found = await check()
    if (found) return found
    if (Date.now() > giveUpAt) {
      const lines = log.filter((line) => /^(warn|error):/.test(line)).slice(-MOST_LINES)
      throw new Error([`Waited in vain: ${what}`, ...lines].join("\n"))
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
