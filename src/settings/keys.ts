import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

import { registerSecret } from "../service/redact"
import { type DigestKey, digestKey } from "../values/digests"
import { refusal } from "./resolve-options"

const VARIABLE = "PAYMENT_SERVICE_ENCRYPTION_KEY"
const SHORTEST = 32
const CIPHER = "aes-256-gcm"
const NONCE_BYTES = 12

/** The keys for digests and sealed secrets: made of a secret outside the database, so that a copy of it alone tells nobody anything. */
export class Keys {
  private readonly secrets: string[]

  /** @throws MedusaError `INVALID_DATA` when a secret is too short */
  constructor(given: string | undefined) {
    this.secrets = (given ?? "").split(",").flatMap((secret) => secret.trim() || [])
    if (this.secrets.some((secret) => secret.length < SHORTEST)) {
      throw refusal(`${VARIABLE} must have ${SHORTEST} characters at least in each of its keys`)
    }
    this.secrets.forEach(registerSecret)
  }

  static ofEnvironment(): Keys {
    return new Keys(process.env[VARIABLE])
  }

  /** The keys of a purpose, those of other secrets last: the first one makes digests, and any is compared with. */
  of(purpose: "payer" | "card" | "sealing", others: string[] = []): DigestKey[] {
    return [...this.secrets, ...others].map((secret) => digestKey(secret, purpose))
  }

  get canSeal(): boolean {
    return this.secrets.length > 0
  }

  /** Seals a secret with the first key, for one place: nobody can move it to another one in the database. Throws without a key. */
  seal(place: string, secret: string): string {
    const [first] = this.of("sealing")
    if (!first) throw new Error(`${VARIABLE} is not set`)
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, first.key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
    const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))
    return [first.name, ...parts].join(".")
  }

  /** A secret that the store has made for itself, and that has no dot, as it is kept: sealed where there is a key. */
  keep(place: string, secret: string): string {
    return this.canSeal ? this.seal(place, secret) : secret
  }

  kept(place: string, value: string): string | null {
    return value.includes(".") ? this.open(place, value) : value
  }

  /** Opens what any of the keys has sealed for this place; null when none has. */
  open(place: string, sealed: string): string | null {
    const [name, ...parts] = sealed.split(".")
    const [nonce, tag, text] = parts.map((part) => Buffer.from(part, "base64url"))
    const key = this.of("sealing").find((one) => one.name === name)
    if (!key || !nonce || !tag || !text) return null
    try {
      const decipher = createDecipheriv(CIPHER, key.key, nonce).setAAD(Buffer.from(place))
      return Buffer.concat([decipher.setAuthTag(tag).update(text), decipher.final()]).toString()
    } catch {
      return null
    }
  }
}

/** The address as people write it: a socket for both versions shows an IPv4 address as `::ffff:203.0.113.7`. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address
}
