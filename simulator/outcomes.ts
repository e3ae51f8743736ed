import { pause } from "./callbacks"
import type { Language, Wording } from "./language"
import { html, type Markup } from "./page-layout"
import type { SimulatorState } from "./state"
import { round } from "./transactions"

/** The actions of a payer. */
const PAYER_ACTIONS = ["pay", "decline", "expire"] as const
export type PayerAction = (typeof PAYER_ACTIONS)[number]

/** The further outcomes of a payment, which a tester can choose. */
const OUTCOMES = [
  "less",
  "more",
  "payLate",
  "payTwice",
  "currency",
  "reference",
  "reverse",
] as const
type Action = PayerAction | (typeof OUTCOMES)[number]

/** The time between the end of a payment and the money that comes nevertheless: enough to see the shop's page change. */
const LATE_MS = 10_000
const SHARE = 0.1
const OTHER_CURRENCY = "USD"

const includes = (names: readonly string[], name: string) => names.includes(name)

export const isPayerAction = (name: string): name is PayerAction => includes(PAYER_ACTIONS, name)

export const isAction = (name: string): name is Action =>
  isPayerAction(name) || includes(OUTCOMES, name)

/** Lets it happen; resolves after the callbacks were answered, without waiting for money that comes late. @throws UnknownTransaction */
export async function letHappen(action: Action, id: string, state: SimulatorState) {
  const { transactions, settings } = state
  const transaction = transactions.get(id)
  const { amount } = transaction
  switch (action) {
    case "pay":
      return state.pay(id)
    case "decline":
      return state.setStatus(id, settings.statuses.canceled)
    case "expire":
      return state.setStatus(id, settings.statuses.expired)
    case "less":
      return state.pay(id, { amount: round(amount * (1 - SHARE), 2) })
    case "more":
      return state.pay(id, { amount: round(amount * (1 + SHARE), 2) })
    case "currency":
      return state.pay(id, { currency: OTHER_CURRENCY })
    case "reverse":
      return state.setStatus(id, settings.statuses.reversed)
    case "reference":
      transactions.change(id, { payload: `not-${transaction.payload}` })
      return state.pay(id)
    case "payTwice":
      await state.pay(id)
      return state.payAgain(id)
    case "payLate":
      // Money for a payment that is over comes at once.
      if (!transactions.isPending(transaction)) return state.pay(id)
      await state.setStatus(id, settings.statuses.expired)
      void pause(LATE_MS, state.closing).then(() =>
        state.closing.aborted ? undefined : state.pay(id)
      )
  }
}

/** A status as it is typed in a form. @throws UnknownTransaction */
export async function setTypedStatus(id: string, body: Buffer, state: SimulatorState) {
  const status = new URLSearchParams(body.toString("utf8")).get("status")?.trim().slice(0, 1000)
  if (status) await state.setStatus(id, status)
}

/**
 * A tester's buttons for one payment, behind a line that opens them.
 *
 * @param address of the page's actions for this payment
 */
export function outcomesPanel(
  id: string,
  address: string,
  language: Language,
  words: Wording
): Markup {
  const at = (action: string) => `${address}/${action}?lang=${language}`
  return html`<details class="outcomes" id="outcomes-${id}">
    <summary id="open-${id}">${words.outcomes}</summary>
    <form class="tools" method="post">
      ${OUTCOMES.map(
        (outcome) =>
          html`<button class="second" id="${outcome}-${id}" formaction="${at(outcome)}">
            ${words[outcome]}
          </button>`
      )}
    </form>
    <form class="tools" method="post" action="${at("status")}">
      <label for="status-${id}">${words.status}</label>
      <input id="status-${id}" name="status" list="statuses" maxlength="1000" required />
      <button class="second" id="set-${id}">${words.arm}</button>
    </form>
  </details>`
}

/** The statuses that the field for one proposes; the first is one that no shop knows. */
export function statusesList({ settings }: SimulatorState): Markup {
  const names = ["ON_HOLD", ...Object.values(settings.statuses)]
  return html`<datalist id="statuses">
    ${names.map((name) => html`<option value="${name}"></option>`)}
  </datalist>`
}
