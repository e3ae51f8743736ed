import { PATIENCE_MS } from "../patience"

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
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
