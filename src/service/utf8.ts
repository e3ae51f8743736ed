import type { Readable } from "node:stream"

/**
 * The one rule for byte order marks: a mark at the beginning of a text from outside is not part of it. A second mark,
 * or one anywhere else, is a character like any other.
 */

/** For text that comes in pieces: `decode(piece, { stream: true })`, and `decode()` at the end. */
export const utf8Decoder = () => new TextDecoder("utf-8")

/** Decodes a text whose bytes have all come. */
export const utf8Text = (bytes: Uint8Array) => utf8Decoder().decode(bytes)

/** The text of a body, or null when it is longer than `maxBytes`; the rest is then not read. */
export async function readText(body: Readable, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return utf8Text(Buffer.concat(chunks))
}
