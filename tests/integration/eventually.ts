/** Waits until `check` answers something, and fails with what was waited for. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | null | undefined | false>,
  timeoutMs = 25_000
): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs
  for (;;) {
    const found = await check()
    if (found) return found
    if (Date.now() > giveUpAt) throw new Error(`Not within ${timeoutMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
