import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { bundleApp } from "./bundle"
import { favicon } from "./favicon"
import { renderPage, type PageConfig } from "./page"

export interface StorefrontOptions extends PageConfig {
  /** 0 takes any free port; the address that was taken is in the result. */
  port: number
  /** Default `localhost`. */
  host?: string
}

export interface Storefront {
  url: string
  close(): Promise<void>
}

interface Asset {
  type: string
  body: Buffer
  etag: string
}

/**
 * Bundles the demo storefront and serves it.
 *
 * @throws Error with a sentence that names the port, when it cannot be listened on; esbuild's error, when the bundle fails.
 */
export async function startStorefront(options: StorefrontOptions): Promise<Storefront> {
  const { port, host = "localhost", backendUrl, publishableKey, regionId, orderPlacement } = options
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
  const config: PageConfig = { backendUrl, publishableKey, regionId, orderPlacement }
  const server = createServer((request, response) => answer(request, response, assets, config))
  await listen(server, port, host)
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://${browsable(host)}:${taken}`, close: () => close(server) }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  assets: Map<string, Asset>,
  config: PageConfig
): void {
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("referrer-policy", "same-origin")
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end()
    return
  }
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
  const page = renderPage(config)
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
