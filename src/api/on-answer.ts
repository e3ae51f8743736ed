import type { MedusaResponse } from "@medusajs/framework/http"

/** Does the work when the answer goes out, also to a client who has hung up: core's work goes on until then. */
export function onAnswer(res: MedusaResponse, work: () => void): void {
  const end = res.end.bind(res)
  res.end = ((...answer: Parameters<typeof end>) => {
    work()
    return end(...answer)
  }) as typeof end
}

/** Hands a request on to core, and waits until core has answered it. */
export async function untilAnswered(res: MedusaResponse, next: () => void): Promise<void> {
  const answered = new Promise<void>((resolve) => {
    onAnswer(res, resolve)
  })
  next()
  await answered
}
