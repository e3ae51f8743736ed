import type { CreatedPayout } from "../../src/service/client"
import { PaymentServiceError } from "../../src/service/errors"

/** How the service, or the network before it, deals with a request for a payout. */
export const WAYS_TO_ANSWER = [
  "created",
  /** It is made, and nobody hears of it. */
  "made and lost",
  "made and broken",
  "made and 503",
  "made and 429",
  "made and unreadable",
  "lost",
  "unreachable",
  "refused",
] as const
export type WayToAnswer = (typeof WAYS_TO_ANSWER)[number]

interface RemotePayout {
  key: string
  body: string
  withdrawalRecordId: string
}

/** The payouts that the service has made, each for one idempotency key. */
export class RemotePayouts {
  readonly ledger = new Map<string, RemotePayout>()
  /** The next so many requests are dealt with in this way. */
  next: { how: WayToAnswer; times: number } = { how: "created", times: 0 }
  /** A key that it knows is answered with 409, and not with the payout. */
  isConflicting = false

  /** The request arrives; the answer, or its failure, is on its way when this has returned. */
  take(key: string, body: Buffer): () => CreatedPayout {
    const how = this.next.times-- > 0 ? this.next.how : "created"
    if (how === "lost") return failing("timeout", {})
    if (how === "unreachable") return failing("unavailable", { mayHaveTakenEffect: false })
    if (how === "refused") return failing("invalid", { httpStatus: 400 })
    const known = this.ledger.get(key)
    if (known && this.isConflicting) return failing("invalid", { httpStatus: 409 })
    const made = known ?? {
      ...{ key, body: body.toString() },
      withdrawalRecordId: `withdrawal_${this.ledger.size + 1}`,
    }
    this.ledger.set(key, made)
    switch (how) {
      case "made and lost":
        return failing("timeout", {})
      case "made and broken":
        return failing("unavailable", {})
      case "made and 503":
        return failing("unavailable", { httpStatus: 503 })
      case "made and 429":
        return failing("rate_limited", { httpStatus: 429 })
      case "made and unreadable":
        return failing("malformed", { httpStatus: 200 })
      case "created":
        return () => ({
          status: "CREATED",
          withdrawalRecordId: made.withdrawalRecordId,
          amountUsdtDebited: "10",
          cardMasked: "**** 4242",
        })
    }
  }
}

type Details = ConstructorParameters<typeof PaymentServiceError>[2]

function failing(kind: PaymentServiceError["kind"], details: Details): () => never {
  return () => {
    throw new PaymentServiceError(kind, "the payout's request failed", {
      mayHaveTakenEffect: true,
      ...details,
    })
  }
}
