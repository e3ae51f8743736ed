import type { Readable } from "node:stream"

import getRawBody from "raw-body"

/**
 * The bytes of a request body, or null as soon as it is longer than allowed. The rest of a longer one is discarded unread, and
 * the stream stays open, so that an answer can still be sent.
 *
 * @throws Error when the sender breaks off
 */
export async function readLimitedBody(
  request: Readable,
  mostBytes: number
): Promise<Buffer | null> {
  try {
    return await getRawBody(request, { limit: mostBytes })
  } catch (error) {
    request.resume()
    if ((error as getRawBody.RawBodyError).type === "entity.too.large") return null
    throw error
  }
}
