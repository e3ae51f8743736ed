import { z } from "@medusajs/framework/zod"

import { isStorable } from "../../../database/sql"
import * as transaction from "../../../payments/rules/transaction"
import { SORTED_BY } from "../../../payments/statements/transaction-list"
import { withoutCardNumbers } from "../../../payouts/rules/card-text"
import { PAYOUT_STATES } from "../../../payouts/rules/payout"
import { PAYOUTS_SORTED_BY } from "../../../payouts/statements/payouts"
import { PROBLEM_KINDS } from "../../../problems/rules/problems"
import { PROBLEMS_SORTED_BY } from "../../../problems/statements/problems"
import { RECORDS_SORTED_BY } from "../../../reconciliation"
import { WHOLE_UUID } from "../../../service/schemas"
import { isTimeZone } from "../../../values/local-days"

const MOST_DAYS = 366
// A day of it may have 25 hours.
const LONGEST_PERIOD_MS = (MOST_DAYS * 24 + 1) * 3_600_000

const optionalText = z.string().optional()

/** One value or several: `state=paid`, `state[]=paid&state[]=expired`. */
const oneOrMany = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((given) => [given].flat(), z.array(schema).min(1).max(50)).optional()

/** The same of these names; core's own message about a wrong one names no right ones. */
const oneOrManyOf = <Name extends string>(field: string, names: readonly Name[]) =>
  oneOrMany(
    z.custom<Name>((given) => names.includes(given as Name), {
      error: `\`${field}\` must be one of ${names.join(", ")}`,
    })
  )

const optionalTexts = oneOrMany(z.string())

const SearchText = z.string().trim().max(200).optional()

const NOT_A_MOMENT = "A moment such as `from` or `to` must be a date and time in ISO 8601"
const Moment = z.iso
  .datetime({ offset: true, error: NOT_A_MOMENT })
  .transform((text) => new Date(text))

const period = { from: Moment.optional(), to: Moment.optional() }
const isInOrder = ({ from, to }: { from?: Date | undefined; to?: Date | undefined }) =>
  !from || !to || from < to
const NOT_IN_ORDER = "`from` must be before `to`"

const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "`time_zone` must be a time zone such as Europe/Moscow")
  .default("UTC")

const TrueOrFalse = z.enum(["true", "false"]).transform((text) => text === "true")

const paging = {
  limit: z.coerce.number().int().min(1).max(200).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
}

/** Names of columns; `-` before one sorts the largest or latest first. */
function sortedBy<Column extends string>(columns: Record<Column, unknown>, unasked: `-${Column}`) {
  const names = Object.keys(columns) as Column[]
  return z
    .enum([...names, ...names.map((column): `-${Column}` => `-${column}`)])
    .optional()
    .transform((order): Column | `-${Column}` => order ?? unasked)
}

const subject = { cart_id: optionalText, order_id: optionalText, customer_id: optionalText }

const TransactionFilters = z.strictObject({
  /** An order's number, an e-mail address, an amount, or an id, of which the beginning is enough but for ours and a customer's. */
  q: SearchText,
  state: oneOrManyOf("state", transaction.TRANSACTION_STATES),
  standing: oneOrManyOf("standing", transaction.LISTED_STANDINGS),
  /** The service's last word for it, as the service writes it; longer ones are cut where they are stored. */
  status: oneOrMany(z.string().min(1).max(200)),
  exception: oneOrManyOf("exception", transaction.TRANSACTION_EXCEPTIONS),
  method: optionalTexts,
  account: optionalTexts,
  ...period,
  paid_from: Moment.optional(),
  paid_to: Moment.optional(),
  ...subject,
})

/** A label of an option such as `export.statusCodes`, or a numeric code. */
const Code = z.string().min(1).max(100)

const RecordFilters = z.strictObject({
  account: optionalText,
  from: Moment,
  to: Moment,
  time_zone: TimeZone,
  status: oneOrMany(Code),
  method: oneOrMany(Code),
  /** Part of an id, a payload or a description, the amount, or an order's number, e-mail address or id of this store. */
  q: SearchText,
  known: TrueOrFalse.optional(),
  /** Only records with one of these statuses, as they have it; unlike `status`, it asks the service for nothing else. */
  status_name: oneOrMany(z.string().min(1).max(200)),
})

const PayoutFilters = z.strictObject({
  /** An order's number, an amount, last digits of a card, words of a note, a maker's name, or an id. */
  q: SearchText,
  state: oneOrManyOf("state", PAYOUT_STATES),
  account: optionalTexts,
  order_id: optionalTexts,
  problem_id: optionalTexts,
  transaction_row_id: optionalTexts,
  made_by: optionalTexts,
  created_at: z.strictObject({ gte: Moment.optional(), lt: Moment.optional() }).optional(),
})

const locale = z.enum(["en", "ru"]).default("en")

const TransactionExportQuery = z.discriminatedUnion(
  "source",
  [
    TransactionFilters.extend({
      source: z.literal("store").optional(),
      locale,
      time_zone: TimeZone,
    }).refine(isInOrder, NOT_IN_ORDER),
    RecordFilters.extend({ source: z.literal("service"), locale }).refine(isInOrder, NOT_IN_ORDER),
  ],
  { error: "`source` must be store or service" }
)

const PayoutExportQuery = PayoutFilters.extend({ locale, time_zone: TimeZone }).refine(
  ({ created_at: at }) => !at?.gte || !at.lt || at.gte < at.lt,
  "`created_at[gte]` must be before `created_at[lt]`"
)

export const FILES = {
  "exports/transactions.csv": TransactionExportQuery,
  "exports/transactions.xlsx": TransactionExportQuery,
  "exports/transactions.json": TransactionExportQuery,
  "exports/payouts.csv": PayoutExportQuery,
  "exports/payouts.xlsx": PayoutExportQuery,
  "exports/payouts.json": PayoutExportQuery,
}

const OneAccount = z.strictObject({ account: z.string().min(1).max(200).optional() })

export type QueryOf<Path extends keyof typeof QUERIES> = z.output<(typeof QUERIES)[Path]>
export const QUERIES = {
  ...FILES,
  exports: z.strictObject(paging),
  transactions: TransactionFilters.extend({ order: sortedBy(SORTED_BY, "-opened_at"), ...paging }),
  payments: z
    .strictObject({ order_id: optionalText, customer_id: optionalText })
    .refine(
      ({ order_id, customer_id }) => (order_id === undefined) !== (customer_id === undefined),
      "either `order_id` or `customer_id` must be given"
    ),
  problems: z.strictObject({
    /** An order's number, an e-mail address, an amount, or an id: of a transaction, session, cart, order, customer or problem. */
    q: SearchText,
    id: oneOrMany(z.string().max(64)),
    status: z.enum(["open", "closed"]).optional(),
    kind: oneOrManyOf("kind", PROBLEM_KINDS),
    account: oneOrMany(z.string().max(64)),
    transaction_id: optionalText,
    transaction_row_id: optionalText,
    ...subject,
    order: sortedBy(PROBLEMS_SORTED_BY, "-opened_at"),
    ...paging,
  }),
  "service-transactions": RecordFilters.extend({
    order: sortedBy(RECORDS_SORTED_BY, "-created_at"),
    ...paging,
    /** Scripts may send it, and it changes nothing. */
    fetch: z.string().max(64).optional(),
    refresh: TrueOrFalse.default(false),
  }).refine(isInOrder, NOT_IN_ORDER),
  "service-transactions/:id": OneAccount,
  subscriptions: z
    .strictObject({ account: optionalText, status: Code.optional(), ...period, ...paging })
    .refine(isInOrder, NOT_IN_ORDER),
  "subscriptions/:id": OneAccount,
  payouts: PayoutFilters.extend({ order: sortedBy(PAYOUTS_SORTED_BY, "-created_at"), ...paging }),
  cards: z.strictObject({
    only_active: TrueOrFalse.default(true),
    account: z.string().max(100).optional(),
  }),
  comparisons: z.strictObject(paging),
  "comparisons/:id": z.strictObject(paging),
  overview: z
    .strictObject({ ...period, time_zone: TimeZone })
    .refine(({ from, to }) => !from === !to, "`from` and `to` are given together, or neither")
    .refine(isInOrder, NOT_IN_ORDER)
    .refine(
      // An invalid moment (NaN) passes here, because its own field reports it.
      ({ from, to }) => !from || !to || !(Number(to) - Number(from) > LONGEST_PERIOD_MS),
      `the period may have ${MOST_DAYS} days at most`
    ),
}

const NOT_AN_AMOUNT = { error: "must be an amount" }

const DecimalText = z
  .string()
  .max(100, NOT_AN_AMOUNT)
  .regex(/^\d+(\.\d+)?$/, NOT_AN_AMOUNT)
/** A sum of money: decimal text, or a number; none has more characters. */
const Amount = z.union([z.number(), DecimalText]).transform(String)

/** A sum that is null, or missing, only where the problem shows none. */
const AmountIfShown = Amount.nullable().default(null)

/** The sums that the admin saw: the paid one and the cart's total. The request is refused when they have changed. */
const AcceptBody = z.strictObject({ amount: Amount, cart_total: AmountIfShown })

const EndBody = z.strictObject({ amount: Amount, order_id: z.string().max(64) })

/** A note of what was done, and the sum that the admin saw; the request is refused when it is another by now. */
const NoteBody = z.strictObject({
  note: z
    .string({ error: "must say what was done" })
    .trim()
    .min(1, "must say what was done")
    .max(2_000)
    .refine(isStorable, "must be a text")
    // Notes are stored, and Medusa's refund repeats them.
    .transform(withoutCardNumbers),
  amount: AmountIfShown,
})

export type BodyOf<Path extends keyof typeof BODIES> = z.output<(typeof BODIES)[Path]>
/** The bodies that routes accept, by their addresses, but for payouts and settings. */
export const BODIES = {
  "transactions/:id/identify": z.strictObject({
    transaction_id: z
      .string()
      .trim()
      .regex(WHOLE_UUID, { error: "must be the service's id of a transaction, a UUID" }),
  }),
  "transactions/:id/refund": z.strictObject({
    amount: Amount.refine((amount) => Number(amount) > 0, NOT_AN_AMOUNT),
    held: Amount,
  }),
  comparisons: OneAccount,
  "connection/check": OneAccount,
  "problems/:id/place-order": AcceptBody,
  "problems/:id/accept-amount": AcceptBody,
  "problems/:id/take-instead": AcceptBody,
  "problems/:id/link-order": EndBody,
  "problems/:id/replace-order": EndBody,
  /** The sum that went back; without it, that is all of what the problem shows. */
  "problems/:id/refunded-outside": NoteBody.extend({ part: Amount.nullable().default(null) }),
  "problems/:id/handle": NoteBody,
}
