import { randomBytes } from "node:crypto"

/** The settings that the server hands to the browser application; see `app/config.ts`. */
export interface PageConfig {
  backendUrl: string
  publishableKey: string
  regionId: string
  /** The plugin's option of this name. */
  orderPlacement: "after_payment" | "before_payment"
}

interface Page {
  html: string
  contentSecurityPolicy: string
}

/** The words on the page until the application has begun, and instead of it without JavaScript. */
const shells = {
  en: { title: "Quiet Goods", noScript: "This demo needs JavaScript." },
  ru: { title: "Тихая лавка", noScript: "Для демо нужен JavaScript." },
}

/**
 * The one HTML document of the application.
 *
 * @param accepted the browser's languages, of which the first counts, as in the application
 */
export function renderPage(config: PageConfig, accepted = ""): Page {
  const language = /^ru\b/i.test(accepted.trim()) ? "ru" : "en"
  const { title, noScript } = shells[language]
  const nonce = randomBytes(16).toString("base64")
  const backend = new URL(config.backendUrl).origin
  const html = `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light" />
    <meta name="theme-color" content="#f5f6f4" />
    <title>${title}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/app.css" />
    <script nonce="${nonce}">
      window.__STOREFRONT__ = ${scriptSafeJson(config)};
    </script>
    <script type="module" src="/app.js"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>${noScript}</noscript>
  </body>
</html>
`
  const contentSecurityPolicy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    `img-src 'self' data: ${backend}`,
    `connect-src ${backend}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
  return { html, contentSecurityPolicy }
}

/** JSON that cannot end the script element it stands in, nor be read as anything but data. */
function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
}
