import {
  needsPerson,
  paidSum,
  type Transaction,
  type TransactionException,
} from "../../payments/rules/transaction"
import { type Code, hasText, text, type Text } from "../../texts"
import { CATALOGUE } from "./catalogue"
import type { ProblemAction, ProblemEntry } from "./entry"

export type ProblemKind = keyof typeof CATALOGUE
export const PROBLEM_KINDS = Object.keys(CATALOGUE) as ProblemKind[]

export type FactsOf<Kind extends ProblemKind> = {
  [K in Kind]: (typeof CATALOGUE)[K] extends ProblemEntry<infer Facts> ? Facts : never
}[Kind]

export interface FoundProblem<Kind extends ProblemKind = ProblemKind> {
  kind: Kind
  /** Identifies the problem when it is seen again, see `cause.ts`. */
  cause: string
  facts: FactsOf<Kind>
}

/** Makes a problem of this kind, with its cause from the facts. */
export function problem<Kind extends ProblemKind>(
  kind: Kind,
  facts: FactsOf<Kind>
): FoundProblem<Kind> {
  return { kind, cause: entryOf(kind).cause(facts as never), facts }
}

/** The facts that open this problem again when they differ (`ProblemEntry`); null when its beginning decides. */
export function factsThatOpenAgain({ kind, facts }: FoundProblem): Record<string, unknown> | null {
  const names: readonly string[] | undefined = entryOf(kind).opensAgainBy
  const isNamed = ([name]: [string, unknown]) => names?.includes(name)
  return names ? Object.fromEntries(Object.entries(facts).filter(isNamed)) : null
}

/** The text of a problem as it is stored; its kind, when that is of another version of this package. */
export function textOf({ kind, facts }: { kind: string; facts: object }): Text {
  if (!isKnown(kind)) return { en: kind, ru: kind }
  const said = entryOf(kind).text?.(facts as never)
  // A kind without a text of its own is the name of one.
  return said ?? text("problems", kind as Code<"problems">, { ...facts })
}

const ORDER_ID = /\border_[0-9A-HJKMNP-TV-Z]{26}\b/g

export function orderIdsIn({ en }: Text): string[] {
  return en.match(ORDER_ID) ?? []
}

/** A text with orders' numbers in place of their ids, because admins know them by these; an id without a number stays. */
export function withOrderNumbers(text: Text, numbers: Map<string, number>): Text {
  // A file has many lines without an order.
  if (numbers.size === 0) return text
  const named = (words: string) =>
    words.replace(ORDER_ID, (id) => (numbers.has(id) ? `#${numbers.get(id)}` : id))
  return { en: named(text.en), ru: named(text.ru) }
}

/** Says what closes a problem of this kind without an admin; null where waiting is wrong, and for a kind of another version. */
export function closingOf(kind: string): Text | null {
  return hasText("closes", kind) ? text("closes", kind) : null
}

/**
 * Says in a line what an admin should do about a problem of this kind; null for a kind of another version.
 *
 * @param order the number of its order, if that is known
 */
export function adviceOf(kind: string, order: number | null = null): Text | null {
  const named =
    order === null
      ? text("problems", "the_order")
      : text("problems", "order_named", { number: String(order) })
  return isKnown(kind) ? text("advice", kind, { order: named }) : null
}

/** The actions of an admin for a problem of this kind; without a transaction only mark it as handled, except `unknown_status`. */
export function actionsFor(kind: string, hasTransaction = true): readonly ProblemAction[] {
  const actions: readonly ProblemAction[] = isKnown(kind) ? entryOf(kind).actions : ["handle"]
  return hasTransaction || !actions.length || kind === "unknown_status" ? actions : ["handle"]
}

function isKnown(kind: string): kind is ProblemKind {
  return Object.hasOwn(CATALOGUE, kind)
}

function entryOf(kind: ProblemKind): ProblemEntry<never> {
  return CATALOGUE[kind]
}

/** The problem that a transaction's row shows, or null when it shows none that a person must look at. */
export function problemOf(row: Transaction): FoundProblem | null {
  const { exception } = row
  if (!exception || !needsPerson(row)) return null
  if (exception === "unknown_status") {
    return problem("unknown_status", { merchant: row.merchant_id, status: row.status ?? "" })
  }
  return problem(KIND_OF[exception], {
    row: row.id,
    exception,
    asked: { amount: row.amount, currency: row.currency },
    paid: paidSum(row),
    late: row.paid_late,
    reasons: row.exception_reasons ?? [],
  })
}

const KIND_OF = {
  completion_failed: "paid_without_order",
  payment_canceled: "paid_without_order",
  session_gone: "paid_after_change",
  session_differs: "paid_after_change",
  cart_changed: "paid_after_change",
  order_canceled: "paid_after_change",
  merchant_differs: "not_ours",
  reference_differs: "not_ours",
  amount_less: "amount_differs",
  amount_more: "amount_differs",
  paid_twice: "paid_twice",
  currency_differs: "currency_differs",
  reversed: "reversed",
  changed_since_handled: "changed_since_handled",
} as const satisfies Record<Exclude<TransactionException, "unknown_status">, ProblemKind>
