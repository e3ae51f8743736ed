import { createHash, randomUUID } from "node:crypto"

import { z } from "zod"

import { checked, json, readJson, Refusal, type Exchange, type Reply } from "./exchange"
import type { Settings } from "./options"
import { round } from "./transactions"

/** A saved card as the service lists it. */
export interface SimulatedCard {
  cardId: string
  masked: string
  last4: string
  brand: string
  label: string
  status: "ACTIVE" | "DISABLED" | "PENDING"
}

/** A payout in the simulator, which keeps a card number only masked. */
export interface SimulatedPayout {
  id: string
  key: string
  cardId: string | null
  cardMasked: string
  amountRub: number
  amountUsdtDebited: number
  status: string
  createdAt: number
}

const payoutRequest = z
  .strictObject({
    cardId: z.string().optional(),
    cardNumber: z
      .string()
      .regex(/^\d{16}$/, "must be 16 digits")
      .optional(),
    amountRub: z.int().min(1000).max(87500),
    payoutMethod: z.literal("CARD"),
    currencyRequested: z.literal("RUB"),
  })
  .refine(
    ({ cardId, cardNumber }) => (cardId === undefined) !== (cardNumber === undefined),
    "exactly one of cardId and cardNumber must be sent"
  )

/** An endless run must not fill the memory. */
const PAYOUTS_HELD = 100_000

const cardsQuery = z.strictObject({ onlyActive: z.enum(["true", "false"]).default("true") })

/** Saved cards, payouts and the USDT balance of one simulator. Signatures have been checked before. */
export class Payouts {
  private readonly cards = seededCards()
  private readonly made = new Map<string, { payout: SimulatedPayout; bodyDigest: string }>()

  constructor(private readonly settings: Settings) {}

  all(): SimulatedPayout[] {
    return [...this.made.values()].map(({ payout }) => ({ ...payout }))
  }

  allCards(): SimulatedCard[] {
    return this.cards.map((card) => ({ ...card }))
  }

  /** `GET /api/v1/cards`. @throws Refusal 400 */
  listCards(exchange: Exchange): Reply {
    const { onlyActive } = checked(cardsQuery, Object.fromEntries(exchange.query))
    return json(
      200,
      this.cards.filter(({ status }) => onlyActive === "false" || status === "ACTIVE")
    )
  }

  /** `POST /api/v1/payouts/card-rub`. @throws Refusal 400, 409 */
  create(exchange: Exchange, now: number): Reply {
    const key = exchange.headers["idempotency-key"] ?? ""
    if (key === "") throw new Refusal(400, "key_required", "Idempotency-Key is required.")
    const body = readJson(exchange)
    if (hasWhitespaceBetween(exchange.body)) {
      throw new Refusal(400, "whitespace", "The body must be serialized without extra whitespace.")
    }
    const request = checked(payoutRequest, body)
    const bodyDigest = createHash("sha256").update(exchange.body).digest("hex")
    const repeated = this.made.get(key)
    if (repeated) {
      if (this.settings.repeatedKey === "reject" || repeated.bodyDigest !== bodyDigest) {
        throw new Refusal(409, "key_reused", "This idempotency key has been used already.")
      }
      return payoutReply(repeated.payout)
    }
    const card = this.cards.find(({ cardId }) => cardId === request.cardId)
    if (request.cardId !== undefined && card?.status !== "ACTIVE") {
      throw new Refusal(400, "card_unusable", "cardId is not an active card of this merchant.")
    }
    const amountUsdtDebited = round(request.amountRub / this.settings.usdtRate, 6)
    if (amountUsdtDebited > this.settings.usdtBalance) {
      throw new Refusal(400, "insufficient_balance", "The USDT balance is too low.")
    }
    if (this.made.size >= PAYOUTS_HELD) {
      throw new Refusal(507, "full", `The simulator holds ${PAYOUTS_HELD} payouts; start it anew.`)
    }
    this.settings.usdtBalance = round(this.settings.usdtBalance - amountUsdtDebited, 6)
    const payout: SimulatedPayout = {
      id: randomUUID(),
      key,
      cardId: request.cardId ?? null,
      cardMasked: card?.masked ?? `************${request.cardNumber?.slice(-4) ?? ""}`,
      amountRub: request.amountRub,
      amountUsdtDebited,
      status: "CREATED",
      createdAt: now,
    }
    this.made.set(key, { payout, bodyDigest })
    return payoutReply(payout)
  }
}

/** Whether bytes that are valid JSON have whitespace outside of their strings. */
function hasWhitespaceBetween(body: Buffer): boolean {
  const [quote, backslash] = ['"'.charCodeAt(0), "\\".charCodeAt(0)]
  const whitespace = new Set(Buffer.from(" \t\n\r"))
  let isInString = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0
    if (byte === quote) isInString = !isInString
    else if (isInString && byte === backslash) index++
    else if (!isInString && whitespace.has(byte)) return true
  }
  return false
}

function payoutReply(payout: SimulatedPayout): Reply {
  return json(200, {
    withdrawalRecordId: payout.id,
    status: payout.status,
    cardMasked: payout.cardMasked,
    amountUsdtDebited: payout.amountUsdtDebited,
  })
}

function seededCards(): SimulatedCard[] {
  const card = (
    number: number,
    last4: string,
    brand: string,
    label: string,
    status: SimulatedCard["status"]
  ): SimulatedCard => ({
    cardId: `c0a8e5d2-3f41-4b6c-9e07-00000000000${number}`,
    masked: `************${last4}`,
    last4,
    brand,
    label,
    status,
  })
  return [
    card(1, "4242", "MIR", "Main card", "ACTIVE"),
    card(2, "1881", "visa", "", "ACTIVE"),
    card(3, "0005", "моя карта", "Old card", "DISABLED"),
    card(4, "7777", "MIR", "Being checked", "PENDING"),
  ]
}
