import type { CallOptions } from "./call"

/** The facts of a reply that do not depend on its body; null until it has come. */
interface Heard {
  httpStatus: number | null
  /** Seconds that this server's clock is ahead of the service's; null also when the reply has no `Date`. */
  clockAheadSeconds: number | null
}

/** Collects the facts of the reply to a call that begins now. */
export function hearReply(): { heard: Heard; onReply: NonNullable<CallOptions["onReply"]> } {
  const heard: Heard = { httpStatus: null, clockAheadSeconds: null }
  const askedAt = Date.now()
  return {
    heard,
    onReply: ({ httpStatus, date }) => {
      heard.httpStatus = httpStatus
      if (date) heard.clockAheadSeconds = clockAhead(askedAt, Date.now(), date)
    },
  }
}

/**
 * Seconds that this server's clock is ahead of the service's. The service wrote `date` at some moment between request and reply.
 */
export function clockAhead(askedAt: number, answeredAt: number, date: Date): number {
  const middle = (askedAt + answeredAt) / 2
  // `Date` has whole seconds, so on average it is half a second too early.
  return Math.round((middle - date.getTime() - 500) / 1_000)
}
