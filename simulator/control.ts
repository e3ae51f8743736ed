import { z } from "zod"

import { BEHAVIOURS } from "./behaviours"
import { checked, json, parsedJson, Refusal, type Exchange, type Reply } from "./exchange"
import { FAULT_KINDS, OPERATIONS } from "./faults"
import { masked } from "./masking"
import { withoutUndefined } from "./options"
import type { SimulatorState } from "./state"

const count = z.int().min(0).max(1000)
const milliseconds = z.int().min(0).max(3_600_000)
/** Actions are answered after their callback was answered, unless `wait` is false. */
const callbackFields = { callback: z.boolean().optional(), wait: z.boolean().default(true) }

const transactionFields = z.strictObject({
  merchantId: z.string().optional(),
  merchantName: z.string().optional(),
  status: z.string().optional(),
  paymentMethod: z.int().optional(),
  amount: z.number().optional(),
  currency: z.string().optional(),
  description: z.string().optional(),
  return: z.string().optional(),
  failedUrl: z.string().optional(),
  payload: z.string().optional(),
  createdAt: z.number().optional(),
  expiresAt: z.number().optional(),
  usdtRate: z.number().optional(),
  amountUsdt: z.number().optional(),
  commission: z.number().optional(),
  commissionUsdt: z.number().optional(),
  commissionType: z.int().optional(),
  externalId: z.string().optional(),
  redirect: z.string().optional(),
  qr: z.string().optional(),
})

const bodies = {
  seed: transactionFields.extend({
    amount: z.number().default(1000),
    times: z.int().min(1).max(100_000).default(1),
  }),
  edit: transactionFields,
  pay: z.strictObject({
    amount: z.number().optional(),
    currency: z.string().optional(),
    ...callbackFields,
  }),
  act: z.strictObject(callbackFields),
  status: z.strictObject({ status: z.string().max(1000), ...callbackFields }),
  callback: z.strictObject({
    times: count.optional(),
    delayMs: milliseconds.optional(),
    body: z.unknown().optional(),
  }),
  subscription: z.strictObject({
    status: z.string().optional(),
    amount: z.number().optional(),
    nextChargeAt: z.number().nullable().optional(),
    lastChargeAt: z.number().nullable().optional(),
    chargesSuccess: z.int().optional(),
    chargesFailed: z.int().optional(),
  }),
  fault: z.strictObject({
    on: z.enum([...OPERATIONS, "any"]),
    kind: z.enum(FAULT_KINDS),
    status: z.int().min(100).max(599).optional(),
    retryAfterSeconds: z.int().min(0).optional(),
    delayMs: milliseconds.optional(),
    // JSON has no Infinity.
    times: z.union([z.int().min(1), z.literal("always").transform(() => Infinity)]).optional(),
    skip: count.optional(),
    transactionId: z.string().optional(),
    path: z.string().optional(),
    applied: z.boolean().optional(),
    body: z.unknown().optional(),
  }),
  receiver: z.strictObject({
    url: z.string().nullable().optional(),
    body: z.enum(["flat", "nested", "array"]).optional(),
    duplicate: count.optional(),
    drop: z.boolean().optional(),
    delayMs: milliseconds.optional(),
    reorder: z.boolean().optional(),
  }),
  settings: z.strictObject({
    merchantName: z.string().optional(),
    secret: z.string().optional(),
    signingSecret: z.string().optional(),
    expiresInSeconds: z.number().positive().optional(),
    autoExpire: z.boolean().optional(),
    repeatedKey: z.enum(["same", "reject"]).optional(),
    exportAs: z.enum(["array", "link"]).optional(),
    recordIds: z.enum(["transaction", "own"]).optional(),
    usdtRate: z.number().positive().optional(),
    usdtBalance: z.number().min(0).optional(),
    currencies: z.array(z.string()).optional(),
    requireUserId: z.boolean().optional(),
    payoutsEnabled: z.boolean().optional(),
    qr: z.enum(["address", "text"]).optional(),
  }),
  clock: z.strictObject({ advanceMs: z.number().min(0) }),
}

/** The routes under `/__simulator`: the programmatic interface for another process, as JSON. */
export async function control(exchange: Exchange, state: SimulatorState): Promise<Reply> {
  const [area = "", id = "", action = ""] = exchange.path
    .slice("/__simulator".length)
    .split("/")
    .slice(1)
    .map(decodeURIComponent)
  const result = await dispatch(exchange, state, [area, id, action])
  if (result === undefined) {
    throw new Refusal(404, "not_found", `There is no ${exchange.method} ${exchange.path}.`)
  }
  // Secrets and card numbers are masked in every text, because a shop or a developer may have written any.
  const shown = (_name: string, value: unknown) =>
    typeof value === "string" ? masked(value, state.settings) : value
  return { ...json(200, null), body: JSON.stringify(result, shown) }
}

async function dispatch(
  exchange: Exchange,
  state: SimulatorState,
  [area, id, action]: [string, string, string]
): Promise<unknown> {
  const { transactions, callbacks, faults, settings, subscriptions } = state
  const route = `${exchange.method} ${[area, id && ":id", action].filter(Boolean).join("/")}`
  switch (route) {
    case "GET ":
      return summary(state)
    case "GET transactions":
      return transactions.all()
    case "POST transactions": {
      const { times, ...fields } = bodyOf(exchange, bodies.seed)
      const input = { ...withoutUndefined(fields), amount: fields.amount }
      return Array.from({ length: times }, () => transactions.create(input))
    }
    case "GET transactions/:id":
      return transactions.get(id)
    case "POST transactions/:id/edit":
      return transactions.change(id, withoutUndefined(bodyOf(exchange, bodies.edit)))
    case "POST transactions/:id/callback": {
      const options = bodyOf(exchange, bodies.callback)
      return { statuses: await callbacks.send(transactions.get(id), options) }
    }
    case "POST transactions/:id/status": {
      const { status, wait, callback } = bodyOf(exchange, bodies.status)
      return done(state, id, state.setStatus(id, status, { callback }), wait)
    }
    case "POST transactions/:id/pay": {
      const { wait, ...options } = bodyOf(exchange, bodies.pay)
      return done(state, id, state.pay(id, options), wait)
    }
    case "POST transactions/:id/decline":
    case "POST transactions/:id/expire":
    case "POST transactions/:id/reverse": {
      const meaning = ({ decline: "canceled", expire: "expired", reverse: "reversed" } as const)[
        action as "decline" | "expire" | "reverse"
      ]
      const { wait, callback } = bodyOf(exchange, bodies.act)
      return done(state, id, state.setStatus(id, settings.statuses[meaning], { callback }), wait)
    }
    case "GET faults":
      return faults.all()
    case "POST faults":
      faults.add(bodyOf(exchange, bodies.fault))
      return { ok: true }
    case "DELETE faults":
      faults.clear()
      return { ok: true }
    case "GET requests":
      return state.requests.all(exchange.query.get("on"))
    case "DELETE requests":
      state.requests.clear()
      return { ok: true }
    case "GET callbacks":
      return callbacks.all()
    case "DELETE callbacks":
      callbacks.clear()
      return { ok: true }
    case "GET callback":
      return { url: settings.callbackUrl, ...callbacks.currentMode() }
    case "PUT callback": {
      const { url, body, ...mode } = bodyOf(exchange, bodies.receiver)
      if (url !== undefined) settings.callbackUrl = url
      if (body !== undefined) settings.callbackBody = body
      return { url: settings.callbackUrl, ...callbacks.setMode(withoutUndefined(mode)) }
    }
    case "POST callback": {
      const { body, ...options } = bodyOf(exchange, bodies.callback)
      return { statuses: await callbacks.sendBody(null, body, options) }
    }
    case "GET payouts":
      return state.payouts.all()
    case "GET cards":
      return state.payouts.allCards()
    case "GET subscriptions":
      return subscriptions.all()
    case "POST subscriptions/:id/edit":
      return state.editSubscription(id, withoutUndefined(bodyOf(exchange, bodies.subscription)))
    case "POST subscriptions/:id/callback":
      return { statuses: await state.sendSubscriptionCallback(id) }
    case "GET behaviours":
      return BEHAVIOURS
    case "PUT settings":
      Object.assign(settings, withoutUndefined(bodyOf(exchange, bodies.settings)))
      return summary(state)
    case "POST clock":
      state.advance(bodyOf(exchange, bodies.clock).advanceMs)
      return { now: state.now() }
    default:
      return undefined
  }
}

/** An action takes effect at once; `wait` only decides whether its callback is awaited. */
async function done(
  state: SimulatorState,
  id: string,
  answered: Promise<void>,
  wait: boolean
): Promise<unknown> {
  if (wait) await answered
  return state.transactions.get(id)
}

/** The settings without the secrets: JSON omits undefined fields. */
function summary({ settings, now }: SimulatorState) {
  return { ...settings, secret: undefined, signingSecret: undefined, now: now() }
}

/** An absent body counts as `{}`: most actions need none. */
function bodyOf<T extends z.ZodType>(exchange: Exchange, schema: T): z.output<T> {
  return checked(schema, exchange.body.length === 0 ? {} : parsedJson(exchange.body))
}
