import { setTimeout as delay } from "node:timers/promises"

import { renderSVG } from "uqr"

import { json, Refusal, seeOther, type Exchange, type Reply } from "./exchange"
import { languageOf, money, wording, type Language, type Wording } from "./language"
import { CRYPTO_METHOD, SBP_METHOD } from "./options"
import {
  isAction,
  isPayerAction,
  letHappen,
  outcomesPanel,
  setTypedStatus,
  statusesList,
  type PayerAction,
} from "./outcomes"
import { html, isWebAddress, page, trusted, type Markup } from "./page-layout"
import type { SimulatorState } from "./state"
import type { SimulatedTransaction } from "./transactions"

/** The longest wait for the callback's answer before the payer returns to the shop. */
const CALLBACK_PATIENCE_MS = 250

/** `/pay/{id}` and the payer's three actions; a payer sees only the transaction in the address. */
export async function payerPages(exchange: Exchange, state: SimulatorState): Promise<Reply> {
  const [, , id = "", action = "", ...more] = exchange.path.split("/")
  const language = languageOf(exchange)
  const transaction = state.transactions.find(id)
  if (!transaction || more.length > 0) return notFound(language)
  if (exchange.method === "POST") return act(action, transaction, state, exchange)
  if (action === "") return page(200, language, payerPage(transaction, state, language))
  if (action === "state") {
    return json(200, { status: transaction.status, leftMs: leftMs(transaction, state) })
  }
  throw noSuchPage(exchange)
}

const noSuchPage = ({ method, path }: Exchange) =>
  new Refusal(404, "not_found", `There is no ${method} ${path}.`)

/** Lets a payer or a tester act. Where a payer would have acted, it leads back to the shop, else to this page. */
async function act(
  action: string,
  transaction: SimulatedTransaction,
  state: SimulatorState,
  exchange: Exchange
): Promise<Reply> {
  const { id } = transaction
  const isPending = state.transactions.isPending(transaction)
  if (action === "status") await beforeReturn(setTypedStatus(id, exchange.body, state))
  // If the transaction is not pending any more, or the button was pressed twice, the page shows its state.
  else if (isPayerAction(action) && !isPending) return seeOther(pageOf(id, exchange))
  else if (isAction(action)) await beforeReturn(letHappen(action, id, state))
  else throw noSuchPage(exchange)
  const hasFailed = ["decline", "expire", "payLate"].includes(action)
  const target = hasFailed ? transaction.failedUrl : transaction.return
  const staysHere = !isPending || action === "status" || action === "reverse"
  return seeOther(!staysHere && isWebAddress(target) ? target : pageOf(id, exchange))
}

async function beforeReturn(answered: Promise<void>): Promise<void> {
  await Promise.race([answered, delay(CALLBACK_PATIENCE_MS, undefined, { ref: false })])
}

function pageOf(id: string, exchange: Exchange): string {
  return `../${id}${exchange.query.has("lang") ? `?lang=${languageOf(exchange)}` : ""}`
}

function payerPage(transaction: SimulatedTransaction, state: SimulatorState, language: Language) {
  const words = wording(language)
  const pending = state.transactions.isPending(transaction)
  return {
    title: `${transaction.merchantName}: ${money(transaction.amount, transaction.currency, language)}`,
    body: html`<main class="card" data-status="${transaction.status}">
      <div class="row">
        <span class="merchant" id="merchant">${transaction.merchantName}</span>
        <a class="quiet" href="?lang=${language === "ru" ? "en" : "ru"}">${words.otherLanguage}</a>
      </div>
      ${
        pending
          ? toBePaid(transaction, state, language, words)
          : settled(transaction, state, language, words)
      }
      ${outcomesPanel(transaction.id, transaction.id, language, words)} ${statusesList(state)}
      <p class="note">${words.testMode}</p>
    </main>`,
    script: watchScript(transaction, pending ? leftMs(transaction, state) : null, words),
  }
}

function toBePaid(
  transaction: SimulatedTransaction,
  state: SimulatorState,
  language: Language,
  words: Wording
): Markup {
  const action = (name: PayerAction) => `${transaction.id}/${name}?lang=${language}`
  const amount = money(transaction.amount, transaction.currency, language)
  return html`<h1 class="amount" id="amount">${amount}</h1>
    <p class="description" id="description">${transaction.description}</p>
    ${methodBlock(transaction, state, language, words)}
    <div class="row">
      <span class="quiet">${words.timeLeft}</span>
      <span class="time" id="countdown" role="timer"></span>
    </div>
    <div class="actions">
      <form method="post" action="${action("pay")}">
        <button id="pay">${words.pay} ${amount}</button>
      </form>
      <div class="pair">
        <form method="post" action="${action("decline")}">
          <button id="decline" class="second">${words.decline}</button>
        </form>
        <form method="post" action="${action("expire")}">
          <button id="expire" class="second">${words.letExpire}</button>
        </form>
      </div>
    </div>`
}

function methodBlock(
  transaction: SimulatedTransaction,
  state: SimulatorState,
  language: Language,
  words: Wording
): Markup {
  const qr = qrImage(transaction.qr)
  if (transaction.paymentMethod === CRYPTO_METHOD) {
    const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
    return html`<section class="method">
      <h2>${words.viaCrypto}</h2>
      ${qr}
      <p class="quiet">${words.sendExactly}</p>
      <p class="exact" id="usdt">${number.format(transaction.amountUsdt)} USDT</p>
      <p class="quiet">
        ${words.rate}: 1 USDT = ${number.format(transaction.usdtRate)} ${transaction.currency}
      </p>
    </section>`
  }
  const name =
    transaction.paymentMethod === SBP_METHOD
      ? words.viaSbp
      : (state.settings.methods[transaction.paymentMethod] ?? words.viaOther)
  return html`<section class="method">
    <h2>${name}</h2>
    <p class="quiet">${words.scan}</p>
    ${qr}
    <p class="quiet">${words.yourBank}</p>
    <p>${words.confirmTransfer} <strong>${transaction.merchantName}</strong></p>
  </section>`
}

/** QR data of an edited transaction may be too long for a code; then its beginning is shown. */
function qrImage(data: string): Markup {
  try {
    return html`<div class="qr">${trusted(renderSVG(data, { border: 0 }))}</div>`
  } catch {
    return html`<p><code>${data.slice(0, 300)}…</code></p>`
  }
}

function settled(
  transaction: SimulatedTransaction,
  state: SimulatorState,
  language: Language,
  words: Wording
): Markup {
  const meaning = state.transactions.meaning(transaction.status) ?? "other"
  const target = meaning === "paid" ? transaction.return : transaction.failedUrl
  return html`<div class="settled">
    <div class="mark ${meaning}" aria-hidden="true">${meaning === "paid" ? "✓" : "✕"}</div>
    <h1 id="state" class="${meaning}">${words[meaning]}</h1>
    <p class="quiet">${transaction.status}</p>
    <p class="amount" id="amount">${money(transaction.amount, transaction.currency, language)}</p>
    <p class="description" id="description">${transaction.description}</p>
    ${isWebAddress(target) && html`<a class="button" id="back" href="${target}">${words.backToShop}</a>`}
  </div>`
}

function notFound(language: Language): Reply {
  const words = wording(language)
  return page(404, language, {
    title: words.notFound,
    body: html`<main class="card settled">
      <h1 id="state">${words.notFound}</h1>
      <p class="description">${words.notFoundHint}</p>
    </main>`,
  })
}

function leftMs(transaction: SimulatedTransaction, state: SimulatorState): number {
  return Math.max(0, transaction.expiresAt - state.now())
}

/**
 * Counts down, and reloads when the status changes: after expiry, or a payment on another device. Each look brings the time left
 * from the server, so neither its clock nor the browser's matters.
 */
function watchScript(
  transaction: SimulatedTransaction,
  left: number | null,
  words: Wording
): string {
  const seen = JSON.stringify({ status: transaction.status, left, timeUp: words.timeUp })
  return `
const seen = ${seen.replace(/</g, "\\u003c")}
const shown = document.getElementById("countdown")
let end = performance.now() + (seen.left ?? 0)
let asked = 0
// Once the payer has acted, the way back to the shop is under way: a reload would cancel it.
let leaving = false
addEventListener("submit", () => { leaving = true })
async function look() {
  asked = performance.now()
  try {
    const now = await (await fetch(location.pathname + "/state")).json()
    if (now.status !== seen.status && !leaving) location.reload()
    end = performance.now() + now.leftMs
  } catch {}
}
function tick() {
  const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
  if (shown) {
    const two = (value) => String(value).padStart(2, "0")
    const hours = Math.floor(left / 3600)
    shown.textContent = left === 0 ? seen.timeUp
      : (hours ? hours + ":" : "") + two(Math.floor(left / 60) % 60) + ":" + two(left % 60)
  }
  if (performance.now() - asked > (left === 0 ? 500 : 2000)) look()
}
if (seen.left !== null) {
  tick()
  setInterval(tick, 250)
}
// A page taken from the back-forward cache shows an old state.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload() })
`
}
