import type { Readable } from "node:stream"

/**
 * The bytes of a request body, or null as soon as it is longer than allowed.
 *
 * @throws Error when the sender breaks off
 */
export async function readLimitedBody(request: Readable, mostBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) {
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
