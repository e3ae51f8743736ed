import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import { build } from "esbuild"
import { renderPage, type PageConfig } from "./page"

interface Storefront {
  url: string
  /**
   * Bundles the application and serves it, with this shop in it.
   *
   * @throws esbuild's error, when the bundle fails.
   */
  open(shop: PageConfig): Promise<void>
  close(): Promise<void>
}

/** The shop's mark: a leaf resting in a bowl. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#17594a"/><path d="M6.5 16.5h19a9.5 9.5 0 0 1-19 0Z" fill="#f3f6f1"/><path d="M15.6 14.2c-.6-4.6 2-7.7 7.2-8.2.4 5-2.2 8.2-7.2 8.2Z" fill="#9fd3b5"/></svg>`

/**
 * Listens for the demo storefront, which answers 503 until its shop is opened: the store has to know the
 * storefront's address when it starts, and the storefront what is in the store.
 *
 * @param port 0 takes any free port
 */
export async function startStorefront(port: number): Promise<Storefront> {
  let config: PageConfig | undefined
  let files: Record<string, [type: string, content: string]> = {}
  const server = createServer(({ url = "/", headers }, response) => {
    if (!config) return response.writeHead(503, { "retry-after": "2" }).end()
    const file = files[url.split("?", 1)[0] ?? ""]
    if (file) return send(response, ...file)
    const page = renderPage(config, headers["accept-language"])
    response.setHeader("content-security-policy", page.contentSecurityPolicy)
    return send(response, "text/html", page.html)
  })
  server.listen(port, "localhost")
  await once(server, "listening")
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    open: async (shop) => {
      const { js, css } = await bundled()
      files = {
        "/app.js": ["text/javascript", js],
        "/app.css": ["text/css", css],
        "/favicon.svg": ["image/svg+xml", FAVICON],
      }
      config = shop
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

function send(response: ServerResponse, type: string, content: string): void {
  response.setHeader("content-type", `${type}; charset=utf-8`)
  response.setHeader("cache-control", "no-store")
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("referrer-policy", "same-origin")
  response.end(content)
}

/** Bundles the browser application in memory: nothing is written to disk, so the demo leaves no traces. */
async function bundled(): Promise<{ js: string; css: string }> {
  const { outputFiles } = await build({
    entryPoints: [path.join(__dirname, "app", "main.tsx")],
    outfile: "app.js",
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    charset: "utf8",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  })
  const textOf = (extension: string) =>
    outputFiles.find((file) => file.path.endsWith(extension))?.text ?? ""
  return { js: textOf(".js"), css: textOf(".css") }
}
