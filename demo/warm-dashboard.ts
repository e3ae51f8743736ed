const limit = 90_000

/**
 * Asks for what a browser would ask for first. Vite bundles the dashboard's dependencies and styles on
 * the first request, inside the store's process: until it is done, the store hardly answers anybody.
 */
export async function warmDashboard(dashboard: string): Promise<void> {
  const signal = AbortSignal.timeout(limit)
  const text = async (address: string) => {
    const response = await fetch(address, {
      signal,
      // Otherwise Vite takes a request for a module for one for a page.
      headers: { accept: "*/*" },
    })
    return response.ok ? response.text() : ""
  }
  try {
    const page = await (await fetch(dashboard, { signal, headers: { accept: "text/html" } })).text()
    for (const entry of addresses(page, /<script[^>]+src="([^"]+)"/g, dashboard)) {
      const modules = addresses(await text(entry), /\bimport\s[^"']*["']([^"']+)["']/g, dashboard)
      await Promise.all(modules.map(text))
    }
  } catch {
    // It is only about speed: the dashboard prepares itself when it is opened.
  }
}

function addresses(source: string, pattern: RegExp, base: string): string[] {
  return [...source.matchAll(pattern)].map(([, path = ""]) => new URL(path, base).href)
}
