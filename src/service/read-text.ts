import type { Readable } from "node:stream"

/** The text of a body, or null when it is longer than `maxBytes`; the rest is then not read. */
export async function readText(body: Readable, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  // A byte order mark at the beginning is no part of a text, and `toString` would keep it.
  return new TextDecoder().decode(Buffer.concat(chunks))
}
