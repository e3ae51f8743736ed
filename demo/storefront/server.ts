import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { bundleApp } from "./bundle"
import { favicon } from "./favicon"
import { renderPage, type PageConfig } from "./page"

interface StorefrontOptions {
  /** 0 takes any free port; the address that was taken is in the result. */
  port: number
  /** Default `localhost`. */
  host?: string
}

interface Storefront {
  url: string
  /**
   * Bundles the application and serves it, with this shop in it.
   *
   * @throws Error with a sentence, when the backend's address is none; esbuild's error, when the bundle fails.
   */
  open(shop: PageConfig): Promise<void>
  close(): Promise<void>
}

interface Asset {
  type: string
  body: Buffer
  etag: string
}

/** Served once the shop is open. */
interface Contents {
  assets: Map<string, Asset>
  config: PageConfig
}

/**
 * Listens for the demo storefront, which answers 503 until its shop is opened: the store has to know the
 * storefront's address when it starts, and the storefront what is in the store.
 *
 * @throws Error with a sentence that names the port, when it cannot be listened on.
 */
export async function startStorefront({
  port,
  host = "localhost",
}: StorefrontOptions): Promise<Storefront> {
  let contents: Contents | undefined
  const server = createServer((request, response) => answer(request, response, contents))
  await listen(server, port, host)
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${browsable(host)}:${taken}`,
    open: async (shop) => {
      contents = await contentsOf(shop)
    },
    close: () => close(server),
  }
}

async function contentsOf(config: PageConfig): Promise<Contents> {
  const { backendUrl } = config
  if (!/^https?:$/.test(new URL(backendUrl).protocol)) {
    throw new Error(`The backend's address must start with http:// or https://, not ${backendUrl}`)
  }
  const bundle = await bundleApp()
  const assets = new Map<string, Asset>([
    ["/app.js", asset("text/javascript; charset=utf-8", bundle.js)],
    ["/app.css", asset("text/css; charset=utf-8", bundle.css)],
    ["/favicon.svg", asset("image/svg+xml", favicon)],
    ["/favicon.ico", asset("image/svg+xml", favicon)],
  ])
  return { assets, config }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  contents: Contents | undefined
): void {
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("referrer-policy", "same-origin")
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end()
    return
  }
  if (!contents) {
    response.writeHead(503, { "retry-after": "2" }).end()
    return
  }
  const { assets, config } = contents
  const body = request.method === "GET"
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/"
  const found = assets.get(path)
  if (found) {
    const headers = { "content-type": found.type, etag: found.etag, "cache-control": "no-cache" }
    if (request.headers["if-none-match"] === found.etag) {
      response.writeHead(304, headers).end()
    } else {
      response.writeHead(200, headers).end(body ? found.body : undefined)
    }
    return
  }
  const page = renderPage(config, request.headers["accept-language"])
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": page.contentSecurityPolicy,
      "cache-control": "no-store",
    })
    .end(body ? page.html : undefined)
}

function asset(type: string, content: Uint8Array | string): Asset {
  const body = Buffer.from(content)
  return { type, body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new Error(whyNotListening(error, port, host), { cause: error }))
    })
    server.listen(port, host, () => {
      server.removeAllListeners("error")
      resolve()
    })
  })
}

function whyNotListening(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === "EADDRINUSE") {
    return `Port ${port} is already taken: stop the program that uses it, or give the storefront another port.`
  }
  if (error.code === "EACCES") {
    return `Port ${port} may not be opened by this user: give the storefront a port above 1023.`
  }
  return `The storefront cannot listen on ${host}, port ${port}: ${error.message}`
}

/** A host to listen on is not always one that a browser can open. */
function browsable(host: string): string {
  if (host === "0.0.0.0" || host === "::") {
    return "localhost"
  }
  return host.includes(":") ? `[${host}]` : host
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
