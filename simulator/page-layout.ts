import { randomBytes } from "node:crypto"

import type { Reply } from "./exchange"
import type { Language } from "./language"

/** Text that needs no escaping in a page; only `html` and `trusted` make it. */
export class Markup {
  constructor(readonly source: string) {}
}

type Content = Markup | string | number | false | null | undefined | Content[]

/** A template whose values are escaped unless they are markup. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(
    strings
      .map((part, index) => part + (index < values.length ? render(values[index]) : ""))
      .join("")
  )
}

/** Markup that a library made, without any input. */
export function trusted(source: string): Markup {
  return new Markup(source)
}

function render(value: Content): string {
  if (value instanceof Markup) return value.source
  if (Array.isArray(value)) return value.map(render).join("")
  if (value === null || value === undefined || value === false) return ""
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Only web addresses become links, because an edited transaction may contain anything. */
export function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

/** A whole page. Its policy allows only `script`, so that no script in a shop's text can run. */
export function page(
  status: number,
  language: Language,
  content: { title: string; body: Markup; script?: string; wide?: boolean }
): Reply {
  const nonce = randomBytes(16).toString("base64")
  const script = content.script
    ? html`<script nonce="${nonce}">
        ${trusted(content.script)}
      </script>`
    : null
  const document = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${content.title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${trusted(STYLE)}
        </style>
      </head>
      <body class="${content.wide ? "wide" : "narrow"}">
        ${content.body}${script}
      </body>
    </html>`
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-language": language,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; script-src 'nonce-${nonce}'`,
    },
    body: document.source,
  }
}

const STYLE = `
:root { color-scheme: light dark; --ground: #eef1f6; --surface: #fff; --ink: #14171f; --quiet: #626b7d;
  --line: #e1e5ed; --accent: #3d4ee0; --on-accent: #fff; --good: #14804a; --bad: #b3362b; --warn: #8a5a00;
  --soft: #f6f7fb; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1116; --surface: #191c24; --ink: #eef0f5;
  --quiet: #9aa3b5; --line: #2b303c; --accent: #8490ff; --on-accent: #10121a; --good: #5fd39a; --bad: #ff8f84;
  --warn: #f0bf62; --soft: #20242e; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-font-smoothing: antialiased; }
body.narrow { display: grid; place-items: center; padding: 16px; }
body.wide { padding: 24px 16px 64px; }
.card { width: 100%; max-width: 420px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 20px; padding: 28px; box-shadow: 0 18px 48px -24px rgb(20 23 31 / .28); }
.row { display: flex; align-items: center; justify-content: space-between; gap: 12px; }
.quiet { color: var(--quiet); font-size: 14px; }
.merchant { font-weight: 600; overflow-wrap: anywhere; }
.amount { font-size: 38px; font-weight: 650; letter-spacing: -.02em; line-height: 1.15; margin: 20px 0 4px;
  overflow-wrap: anywhere; }
.description { margin: 0 0 20px; color: var(--quiet); overflow-wrap: anywhere; }
.method { background: var(--soft); border-radius: 14px; padding: 16px; margin: 20px 0; }
.method h2 { font-size: 15px; margin: 0 0 4px; }
.method p { margin: 0; }
.qr { display: block; width: 184px; margin: 14px auto; padding: 10px; border-radius: 12px; background: #fff; }
.qr svg { display: block; width: 100%; height: auto; }
.exact { font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.time { font-variant-numeric: tabular-nums; font-weight: 600; }
.actions { display: grid; gap: 10px; margin-top: 20px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
form { margin: 0; }
button, .button { display: block; width: 100%; min-height: 48px; padding: 10px 16px; border: 1px solid transparent;
  border-radius: 12px; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  background: var(--accent); color: var(--on-accent); }
button.second { background: transparent; color: var(--ink); border-color: var(--line); }
button:hover, .button:hover { filter: brightness(1.06); } button.second:hover { background: var(--soft); }
:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 2px; }
.note { margin: 20px 0 0; text-align: center; color: var(--quiet); font-size: 13px; }
.mark { display: grid; place-items: center; width: 56px; height: 56px; border-radius: 50%; font-size: 26px;
  margin: 24px auto 12px; background: var(--soft); }
.settled { text-align: center; } .settled h1 { font-size: 22px; margin: 0 0 4px; }
.paid { color: var(--good); } .canceled, .expired, .reversed { color: var(--bad); } .pending, .other { color: var(--warn); }
a { color: var(--accent); }
.board { max-width: 1080px; margin: 0 auto; }
.board h1 { font-size: 26px; letter-spacing: -.01em; margin: 0; } .board h2 { font-size: 17px; margin: 32px 0 10px; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; overflow: hidden; }
.item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 10px 20px; align-items: center;
  padding: 14px 18px; border-top: 1px solid var(--line); } .item:first-child { border-top: 0; }
.item p { margin: 0; overflow-wrap: anywhere; } .tools { display: flex; flex-wrap: wrap; gap: 6px; }
.tools button, .fields button { width: auto; min-height: 36px; padding: 4px 12px; font-size: 14px; border-radius: 9px; }
.outcomes { grid-column: 1 / -1; } .outcomes summary { padding: 8px 0; cursor: pointer; font-size: 14px; }
.outcomes .tools { align-items: center; margin-bottom: 8px; } .outcomes label { color: var(--quiet); font-size: 14px; }
.outcomes input { min-width: 0; flex: 1 1 120px; max-width: 240px; } .card .outcomes { margin-top: 16px; }
.status { font-size: 13px; font-weight: 650; letter-spacing: .02em; }
.fields { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; padding: 16px 18px; }
.fields label { display: grid; gap: 4px; font-size: 13px; color: var(--quiet); }
select, input { font: inherit; font-size: 15px; min-height: 36px; padding: 4px 10px; border: 1px solid var(--line);
  border-radius: 9px; background: var(--surface); color: var(--ink); } input[type=number] { width: 110px; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; overflow-wrap: anywhere; }
.two { display: grid; gap: 0 20px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); }
.line { padding: 8px 18px; border-top: 1px solid var(--line); font-size: 14px; } .line:first-child { border-top: 0; }
.behaviours { margin-bottom: 10px; } .behaviours summary { padding: 12px 18px; cursor: pointer; }
.behaviours h3 { font-size: 14px; margin: 6px 18px 0; } .behaviours ul { margin: 0 0 12px; padding: 0 18px 0 36px; font-size: 14px; }
.behaviours code { color: var(--quiet); }
@media (max-width: 640px) { .item { grid-template-columns: 1fr; } .card { padding: 22px; } .amount { font-size: 32px; } }
`
