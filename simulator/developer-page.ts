import { AREAS, behavioursOf, type Area } from "./behaviours"
import { Refusal, seeOther, type Exchange, type Reply } from "./exchange"
import { localTimeIn } from "./export"
import { FAULT_KINDS, OPERATIONS, type FaultKind, type Operation } from "./faults"
import { languageOf, money, wording, type Language, type Wording } from "./language"
import { masked } from "./masking"
import { isAction, letHappen, outcomesPanel, setTypedStatus, statusesList } from "./outcomes"
import { html, page, type Markup } from "./page-layout"
import type { SimulatorState } from "./state"
import { methodName } from "./transaction-messages"
import type { SimulatedTransaction } from "./transactions"

const SHOWN_TRANSACTIONS = 50
const SHOWN_LINES = 12
const SHOWN_CHARACTERS = 300
const utc = localTimeIn("UTC")

const CALLBACK_MODES = {
  normal: { drop: false, duplicate: 0, delayMs: 0, reorder: false },
  twice: { drop: false, duplicate: 1, delayMs: 0, reorder: false },
  dropped: { drop: true, duplicate: 0, delayMs: 0, reorder: false },
  late: { drop: false, duplicate: 0, delayMs: 10_000, reorder: false },
  reordered: { drop: false, duplicate: 0, delayMs: 0, reorder: true },
} as const

/** Serves `/`, which shows the latest events and has buttons, and `/actions/…`, which the buttons call. */
export async function developerPages(exchange: Exchange, state: SimulatorState): Promise<Reply> {
  if (exchange.method === "POST" && exchange.path.startsWith("/actions/")) {
    return act(exchange, state)
  }
  if (exchange.method !== "GET" || exchange.path !== "/") {
    throw new Refusal(404, "not_found", `There is no ${exchange.method} ${exchange.path}.`)
  }
  const language = languageOf(exchange)
  const words = wording(language)
  const live = liveParts(state, language, words)
  if (exchange.query.get("part") === "live") {
    return {
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
      body: live.source,
    }
  }
  return page(200, language, {
    title: words.simulator,
    wide: true,
    body: html`<main class="board">
      <div class="row">
        <h1>${words.simulator}</h1>
        <a class="quiet" href="?lang=${language === "ru" ? "en" : "ru"}">${words.otherLanguage}</a>
      </div>
      <p class="quiet">${words.lead}</p>
      <p class="quiet">
        ${words.baseAddress} <code>${state.settings.publicUrl}</code> · ${words.merchant}
        <code>${state.settings.merchantId}</code>
      </p>
      ${breakForm(language, words)}
      <div id="live">${live}</div>
      ${statusesList(state)}
      <h2>${words.behaviours}</h2>
      ${behaviours(false, language, words)} ${behaviours(true, language, words)}
    </main>`,
    script: LIVE_SCRIPT,
  })
}

/** Performs a button's action and returns to the page, by a relative address, so that a path prefix survives. */
function act(exchange: Exchange, state: SimulatorState): Reply {
  const [, , subject = "", verb = ""] = exchange.path.split("/")
  const fields = new URLSearchParams(exchange.body.toString("utf8"))
  const back = `${verb ? "../../" : "../"}?lang=${languageOf(exchange)}`
  if (subject === "faults") {
    if (verb === "clear") state.faults.clear()
    else addFault(fields, state)
    return seeOther(back)
  }
  if (subject === "callbacks" && verb === "unreadable") {
    void state.callbacks.sendBody(null, {})
    return seeOther(back)
  }
  if (subject === "callbacks") {
    const mode = Object.entries(CALLBACK_MODES).find(([name]) => name === fields.get("mode"))?.[1]
    if (!mode) throw new Refusal(400, "invalid_input", "mode is unknown.")
    state.callbacks.setMode(mode)
    return seeOther(back)
  }
  const transaction = state.transactions.get(subject)
  // The callback is not awaited here; the page lists its result.
  if (verb === "status") void setTypedStatus(subject, exchange.body, state)
  else if (isAction(verb)) void letHappen(verb, subject, state)
  else if (verb === "callback") void state.callbacks.send(transaction)
  else throw new Refusal(404, "not_found", `There is no action ${verb}.`)
  return seeOther(back)
}

function addFault(fields: URLSearchParams, state: SimulatorState): void {
  const on = fields.get("on") as Operation | "any"
  const kind = fields.get("kind") as FaultKind
  if (!(on === "any" || OPERATIONS.includes(on)) || !FAULT_KINDS.includes(kind)) {
    throw new Refusal(400, "invalid_input", "on or kind is unknown.")
  }
  const number = (name: string) => {
    const value = Number(fields.get(name))
    return Number.isInteger(value) && value > 0 ? value : undefined
  }
  const [status, delayMs, times] = [number("status"), number("delayMs"), number("times")]
  state.faults.add({
    on,
    kind,
    ...(status && { status: Math.min(599, Math.max(200, status)) }),
    ...(delayMs && { delayMs }),
    ...(times && { times }),
  })
}

function breakForm(language: Language, words: Wording): Markup {
  const options = (names: readonly string[]) => names.map((name) => html`<option>${name}</option>`)
  return html`<h2>${words.breakNext}</h2>
    <div class="panel">
      <form class="fields" method="post" action="actions/faults?lang=${language}">
        <label>
          ${words.operation}
          <select name="on">
            ${options([...OPERATIONS, "any"])}
          </select>
        </label>
        <label>
          ${words.failure}
          <select name="kind">
            ${options(FAULT_KINDS.filter((kind) => kind !== "body"))}
          </select>
        </label>
        <label>${words.httpStatus} <input type="number" name="status" min="200" max="599" /></label>
        <label>${words.delay} <input type="number" name="delayMs" min="0" /></label>
        <label>${words.times} <input type="number" name="times" min="1" value="1" /></label>
        <button>${words.arm}</button>
      </form>
    </div>`
}

function liveParts(state: SimulatorState, language: Language, words: Wording): Markup {
  const transactions = state.transactions.latest(SHOWN_TRANSACTIONS)
  return html`${armedFaults(state, language, words)}
    <h2>${words.transactions}</h2>
    <div class="panel">
      ${transactions.length === 0 && html`<p class="line quiet">${words.noTransactions}</p>`}
      ${transactions.map((transaction) => transactionItem(transaction, state, language, words))}
    </div>
    <div class="two">
      <div>${callbackLines(state, language, words)}</div>
      <div>${requestLines(state, words)}</div>
    </div>`
}

function transactionItem(
  transaction: SimulatedTransaction,
  state: SimulatorState,
  language: Language,
  words: Wording
): Markup {
  const { id, status } = transaction
  const button = (verb: string, label: string) =>
    html`<form method="post" action="actions/${id}/${verb}?lang=${language}">
      <button class="second" id="${verb}-${id}">${label}</button>
    </form>`
  return html`<article class="item" data-id="${id}">
    <div>
      <p>
        <strong>${money(transaction.amount, transaction.currency, language)}</strong>
        <span class="status ${state.transactions.meaning(status) ?? "other"}"
          >${shortened(status, state)}</span
        >
        <span class="quiet">${methodName(state.settings, transaction.paymentMethod)}</span>
      </p>
      <p>${shortened(transaction.description, state)}</p>
      <p class="quiet">
        ${utc(transaction.createdAt)} UTC · <code>${id}</code> ·
        <a href="pay/${id}?lang=${language}">${words.openPayer}</a>
      </p>
    </div>
    <div class="tools">
      ${button("pay", words.pay)} ${button("decline", words.decline)}
      ${button("expire", words.letExpire)} ${button("callback", words.callbackAgain)}
    </div>
    ${outcomesPanel(id, `actions/${id}`, language, words)}
  </article>`
}

function armedFaults(state: SimulatorState, language: Language, words: Wording): Markup | null {
  const faults = state.faults.all()
  if (faults.length === 0) return null
  return html`<h2>${words.armed}</h2>
    <div class="panel">
      ${faults.map(
        ({ on, kind, status, delayMs, left }) =>
          html`<p class="line" style="margin: 0">
            <code>${on}: ${kind} ${status} ${delayMs && `${delayMs} ms`} × ${left}</code>
          </p>`
      )}
      <form class="fields" method="post" action="actions/faults/clear?lang=${language}">
        <button class="second" id="clear">${words.clear}</button>
      </form>
    </div>`
}

function callbackLines(state: SimulatorState, language: Language, words: Wording): Markup {
  const sent = state.callbacks.latest(SHOWN_LINES)
  const names = Object.keys(CALLBACK_MODES) as (keyof typeof CALLBACK_MODES)[]
  const current = state.callbacks.currentMode()
  const isOn = (name: keyof typeof CALLBACK_MODES) =>
    JSON.stringify(Object.entries(CALLBACK_MODES[name]).sort()) ===
    JSON.stringify(Object.entries(current).sort())
  return html`<h2>${words.callbacks}</h2>
    <div class="panel">
      <p class="line" style="margin: 0">
        ${words.callbackAddress}: <code>${state.settings.callbackUrl ?? words.none}</code>
      </p>
      <form class="fields tools" method="post" action="actions/callbacks?lang=${language}">
        ${names.map(
          (name) =>
            html`<button
              class="${isOn(name) ? "" : "second"}"
              id="mode-${name}"
              name="mode"
              value="${name}"
            >
              ${words[name]}
            </button>`
        )}
        <button
          class="second"
          id="unreadable"
          formaction="actions/callbacks/unreadable?lang=${language}"
        >
          ${words.unreadable}
        </button>
      </form>
      ${sent.map(
        ({ transactionId, status, error, body }) =>
          html`<p class="line" style="margin: 0">
            <span class="status ${status !== null && status < 300 ? "paid" : "canceled"}"
              >${status ?? error ?? words.noAnswer}</span
            >
            <code title="${shortened(body, state)}">${transactionId ?? body.slice(0, 80)}</code>
          </p>`
      )}
    </div>`
}

function requestLines(state: SimulatorState, words: Wording): Markup {
  const requests = state.requests.latest(SHOWN_LINES)
  return html`<h2>${words.requests}</h2>
    <div class="panel">
      ${requests.length === 0 && html`<p class="line quiet">${words.none}</p>`}
      ${requests.map(
        ({ method, path, status }) =>
          html`<p class="line" style="margin: 0">
            <span class="status ${status !== null && status < 300 ? "paid" : "canceled"}"
              >${status ?? words.noAnswer}</span
            >
            <code>${method} ${shortened(path, state)}</code>
          </p>`
      )}
    </div>`
}

/** The simulator's behaviours, and whether the specification shows each. */
function behaviours(isShown: boolean, language: Language, words: Wording): Markup {
  const names: Record<Area, string> = { ...words, payments: words.transactions }
  return html`<details class="panel behaviours">
    <summary>${isShown ? words.shown : words.invented}</summary>
    ${AREAS.map((area) => {
      const listed = behavioursOf(area, isShown)
      return (
        listed.length > 0 &&
        html`<h3>${names[area]}</h3>
          <ul>
            ${listed.map(
              (one) =>
                html`<li>
                  ${one[language]}
                  ${one.changedBy && html`<code>${one.changedBy.join(", ")}</code>`}
                </li>`
            )}
          </ul>`
      )
    })}
  </details>`
}

/** Shortens a text of a shop or a developer, and masks secrets and card numbers in it. */
function shortened(text: string, { settings }: SimulatorState): string {
  const shown = masked(text.slice(0, 2 * SHOWN_CHARACTERS), settings)
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown
}

/** Refreshes the lists every two seconds, but not while a button is being pressed or a status is typed. What is open stays open. */
const LIVE_SCRIPT = `
const live = document.getElementById("live")
let shown = null
const isBusy = () => live.querySelector("button:active, input:focus")
const all = (selector) => [...live.querySelectorAll(selector)]
setInterval(async () => {
  if (document.hidden || isBusy()) return
  try {
    const address = new URL(location.href)
    address.searchParams.set("part", "live")
    address.searchParams.set("lang", document.documentElement.lang)
    const next = await (await fetch(address)).text()
    if (next === shown || isBusy()) return
    const focused = live.contains(document.activeElement) ? document.activeElement.id : ""
    const open = all("details[open]").map(({ id }) => id)
    const typed = all("input").map(({ id, value }) => [id, value])
    live.innerHTML = next
    shown = next
    const now = (id) => document.getElementById(id) ?? {}
    for (const id of open) now(id).open = true
    for (const [id, value] of typed) now(id).value = value
    document.getElementById(focused)?.focus()
  } catch {}
}, 2000)
`
