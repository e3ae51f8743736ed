import { z } from "zod"

import { checked, json, Refusal, utcTime, type Exchange, type Reply } from "./exchange"
import { round } from "./transactions"

/** Codes of the list's integer forms. Invented: the specification gives no mapping. */
const SUBSCRIPTION_STATUS_CODES: Record<string, number> = {
  Active: 1,
  Paused: 2,
  PastDue: 3,
  Canceled: 4,
}
const INTERVAL_CODES: Record<string, number> = { Day: 1, Week: 2, Month: 3, Year: 4 }

/** A recurring subscription in the simulator; times are milliseconds since the epoch. */
export interface SimulatedSubscription {
  id: string
  status: string
  amount: number
  currency: string
  intervalUnit: string
  intervalCount: number
  startAt: number
  nextChargeAt: number | null
  lastChargeAt: number | null
  description: string
  createdAt: number
  customerEmail: string | null
  chargesSuccess: number
  chargesFailed: number
}

const DAY = 24 * 60 * 60 * 1000

const integer = z
  .string()
  .regex(/^\d{1,9}$/, "is not an integer")
  .transform(Number)

const listQuery = z.strictObject({
  status: integer.optional(),
  from: utcTime.optional(),
  to: utcTime.optional(),
  page: integer.pipe(z.number().min(1)).default(1),
  size: integer.pipe(z.number().min(1).max(100)).default(20),
})

/** The subscriptions of one simulator: a seeded handful that can be edited. */
export class Subscriptions {
  private readonly held: Map<string, SimulatedSubscription>

  constructor(now: number) {
    this.held = new Map(seeds(now).map((subscription) => [subscription.id, subscription]))
  }

  all(): SimulatedSubscription[] {
    return [...this.held.values()].map((subscription) => ({ ...subscription }))
  }

  find(id: string): SimulatedSubscription | undefined {
    return this.held.get(id)
  }

  /** Adds one, or changes the one with this id. */
  put(subscription: SimulatedSubscription): void {
    this.held.set(subscription.id, { ...subscription })
  }

  /** `GET /subscription`; from and to apply to the time of creation. @throws Refusal 400 */
  list(exchange: Exchange): Reply {
    const query = checked(listQuery, Object.fromEntries(exchange.query))
    const from = query.from === undefined ? -Infinity : Date.parse(query.from)
    const to = query.to === undefined ? Infinity : Date.parse(query.to)
    const found = this.all()
      .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
      .filter(
        ({ status }) =>
          query.status === undefined || SUBSCRIPTION_STATUS_CODES[status] === query.status
      )
      .sort((one, other) => other.createdAt - one.createdAt)
    const start = (query.page - 1) * query.size
    const items = found.slice(start, start + query.size).map((subscription) => ({
      id: subscription.id,
      status: SUBSCRIPTION_STATUS_CODES[subscription.status] ?? 0,
      amount: subscription.amount,
      currencyCode: subscription.currency,
      intervalUnit: INTERVAL_CODES[subscription.intervalUnit] ?? 0,
      intervalCount: subscription.intervalCount,
      nextChargeAt: instant(subscription.nextChargeAt),
      lastChargeAt: instant(subscription.lastChargeAt),
      customerEmail: subscription.customerEmail,
      description: subscription.description,
      chargesCount: subscription.chargesSuccess + subscription.chargesFailed,
      // More digits than milliseconds, as servers on other platforms write them.
      createdAt: new Date(subscription.createdAt).toISOString().replace("Z", "417Z"),
    }))
    return json(200, { items, total: found.length, page: query.page, size: query.size })
  }

  /**
   * `GET /subscription/{subscriptionId}`. The specification shows null in the list only, so an empty field is omitted here.
   * @throws Refusal 404
   */
  details(id: string): Reply {
    const subscription = this.held.get(id)
    if (!subscription) throw new Refusal(404, "not_found", "There is no such subscription.")
    const lastChargeAt = instant(subscription.lastChargeAt) ?? undefined
    const nextChargeAt = instant(subscription.nextChargeAt) ?? undefined
    // JSON omits undefined fields.
    return json(200, {
      id: subscription.id,
      status: subscription.status,
      amount: subscription.amount,
      currencyCode: subscription.currency,
      intervalUnit: subscription.intervalUnit,
      intervalCount: subscription.intervalCount,
      startAt: instant(subscription.startAt),
      nextChargeAt,
      lastChargeAt,
      description: subscription.description,
      createdAt: instant(subscription.createdAt),
      customerEmail: subscription.customerEmail ?? undefined,
      chargeMetrics: {
        chargesTotal: subscription.chargesSuccess + subscription.chargesFailed,
        chargesSuccess: subscription.chargesSuccess,
        chargesFailed: subscription.chargesFailed,
        totalAmount: round(subscription.amount * subscription.chargesSuccess, 2),
        lastChargeAt,
        nextChargeAt,
      },
    })
  }
}

function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function seeds(now: number): SimulatedSubscription[] {
  const seed = (
    number: number,
    ageInDays: number,
    rest: Partial<SimulatedSubscription>
  ): SimulatedSubscription => ({
    id: `7d9e0c4a-51b2-4f0e-8a3d-00000000000${number}`,
    status: "Active",
    amount: 990,
    currency: "RUB",
    intervalUnit: "Month",
    intervalCount: 1,
    startAt: now - ageInDays * DAY,
    nextChargeAt: now + 12 * DAY,
    lastChargeAt: now - 18 * DAY,
    description: "Coffee every month",
    createdAt: now - ageInDays * DAY,
    customerEmail: `payer${number}@example.com`,
    chargesSuccess: 5,
    chargesFailed: 0,
    ...rest,
  })
  return [
    seed(1, 170, {}),
    seed(2, 90, { amount: 2490.5, description: "Кофе и чай", intervalCount: 2, chargesSuccess: 2 }),
    seed(3, 60, {
      amount: 299,
      description: "Weekly newsletter",
      intervalUnit: "Week",
      nextChargeAt: now + 2 * DAY,
      lastChargeAt: now - 5 * DAY,
      chargesSuccess: 8,
    }),
    seed(4, 45, { status: "PastDue", chargesFailed: 2, chargesSuccess: 1 }),
    seed(5, 30, {
      status: "Canceled",
      amount: 9900,
      intervalUnit: "Year",
      nextChargeAt: null,
      chargesSuccess: 1,
    }),
    seed(6, 1, {
      customerEmail: null,
      nextChargeAt: null,
      lastChargeAt: null,
      chargesSuccess: 0,
      description: "Not charged yet",
    }),
  ]
}
