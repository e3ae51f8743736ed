import type { Readable } from "node:stream"

/**
 * The bytes of a request body, or null as soon as it is longer than allowed. The rest of a longer one is
 * thrown away unread, and the stream left alive, so that an answer can still be sent.
 *
 * @throws Error when the sender breaks off
 */
export function readLimitedBody(request: Readable, mostBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > mostBytes) {
        chunks.length = 0
        resolve(null)
      } else {
        chunks.push(chunk)
      }
    })
    request.once("end", () => {
      resolve(Buffer.concat(chunks))
    })
    request.once("error", reject)
    request.once("close", () => {
      reject(new Error("the sender broke off"))
    })
  })
}
