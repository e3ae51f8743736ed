import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

/** Digests of a sent request, by which a repetition is recognised later; of a saved card, only `body_digest` is not null. */
export type RequestMarks = ReturnType<typeof marksOf>

/**
 * The digests of a request. An attacker could try all card numbers with known last digits, so digests of a typed number are keyed
 * by the signing secret, which is not in the database, and by the payout.
 */
export function marksOf(
  body: Buffer,
  typed: { cardNumber: string; signingSecret: string; payoutId: string } | null
) {
  if (!typed) {
    const body_digest = createHash("sha256").update(body).digest("hex")
    return { body_digest, card_mac: null, key_check: null }
  }
  const key = keyOf(typed.signingSecret, typed.payoutId)
  return {
    body_digest: mac(key, "body", body),
    card_mac: mac(key, "card", typed.cardNumber),
    key_check: mac(key, "check", ""),
  }
}

/** Whether a typed number can still be compared with the one that was sent: only while the signing secret is the same. */
export function knowsNumber(
  { id, key_check }: { id: string; key_check: string | null },
  signingSecret: string | undefined
): boolean {
  if (key_check === null || signingSecret === undefined) return false
  return isSame(mac(keyOf(signingSecret, id), "check", ""), key_check)
}

export function isSame(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function keyOf(signingSecret: string, payoutId: string): Buffer {
  return Buffer.from(hkdfSync("sha256", signingSecret, payoutId, "payout to a typed card", 32))
}

function mac(key: Buffer, what: string, content: string | Buffer): string {
  return createHmac("sha256", key).update(`${what}\n`).update(content).digest("hex")
}
