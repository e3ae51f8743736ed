import http from "node:http"

/** The outcome of a request: `status` 0 when nobody answered. */
export interface Answer {
  status: number
  ms: number
}

/**
 * Sends callbacks over connections that stay open, with as little work of our own as can be: the store
 * shares the machine with us, and is what is to be measured.
 */
export class Sender {
  private readonly agent: http.Agent

  constructor(readonly connections: number) {
    this.agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  }

  post(url: string, body: string, contentType = "application/json"): Promise<Answer> {
    const began = performance.now()
    return new Promise((resolve) => {
      const done = (status: number) => resolve({ status, ms: performance.now() - began })
      const request = http.request(
        url,
        {
          method: "POST",
          agent: this.agent,
          headers: { "content-type": contentType, "content-length": Buffer.byteLength(body) },
        },
        (response) => {
          response.resume()
          response.once("end", () => done(response.statusCode ?? 0))
          response.once("error", () => done(0))
        }
      )
      request.once("error", () => done(0))
      request.end(body)
    })
  }

  /** Keeps every connection busy with `next` until it answers that there is no more to send. */
  async sendAll(next: () => Promise<Answer> | null): Promise<Answer[]> {
    const answers: Answer[] = []
    const work = async () => {
      for (let answer = next(); answer; answer = next()) answers.push(await answer)
    }
    await Promise.all(Array.from({ length: this.connections }, work))
    return answers
  }

  close(): void {
    this.agent.destroy()
  }
}

/** Where the service rings in this plugin. */
export function ourRoute(storeUrl: string, token: string): string {
  return `${storeUrl}/hooks/payment-service/${token}`
}

/** Where a service rings for the same provider in Medusa itself. */
export function coreRoute(storeUrl: string): string {
  return `${storeUrl}/hooks/payment/sbp_main`
}

/** As much as services of this kind are known to send. */
export function callbackBody(transactionId: string, status: string): string {
  return JSON.stringify({ transactionId, status, amount: 1000, currency: "RUB" })
}
