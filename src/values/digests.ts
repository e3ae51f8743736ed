import { createHmac, hkdfSync } from "node:crypto"

/** A key, with the name by which a digest says which key made it. */
export interface DigestKey {
  name: string
  key: Buffer
}

/** Hex digits; with 128 bits, no two contents get the same digest. */
const DIGEST_LENGTH = 32
const NAME_LENGTH = 8

/** The key of one purpose: with that of another one, nothing is found out about this one's digests. */
export function digestKey(secret: string, purpose: string): DigestKey {
  const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32))
  return { key, name: mac(key, ["name"]).slice(0, NAME_LENGTH) }
}

/** The digests of a content by each key. The first one is the one to keep; a kept one may be any of them. */
export const digestsOf = (keys: DigestKey[], ...content: (string | Buffer)[]) =>
  keys.map(({ name, key }) => `${name}_${mac(key, content).slice(0, DIGEST_LENGTH)}`)

/** Whether contents can still be compared with a digest: its key is there. */
export const isComparable = (digest: string | null, keys: DigestKey[]) =>
  digest !== null && keys.some(({ name }) => digest.startsWith(`${name}_`))

function mac(key: Buffer, content: (string | Buffer)[]): string {
  const hash = createHmac("sha256", key)
  for (const part of content) hash.update(part).update("\n")
  return hash.digest("hex")
}
