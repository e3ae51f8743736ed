import { useEffect, useState } from "react"
import { isNotFound } from "../failure"
import { backOff, PLACING_MS, pollDelay } from "./pollDelay"
import { readSessionStatus, type SessionStatus } from "./sessionStatus"

export interface Watched {
  status: SessionStatus | null
  /** The shop could not be asked at the last looks; the status may be old. */
  trouble: boolean
  /** The shop knows no such payment. */
  unknown: boolean
  /** Paid for so long without an order that a person has to look at it. */
  placingTakesLong: boolean
}

const nothingYet: Watched = {
  status: null,
  trouble: false,
  unknown: false,
  placingTakesLong: false,
}

/** Two wake-up calls for the same reason (focus and visibility) are one look. */
const JUST_STARTED_MS = 800

/**
 * Follows a payment: every two seconds while the page is visible, at once when the shopper comes back to it or the network
 * returns, and not at all while it is hidden.
 */
export function usePaymentStatus(sessionId: string | null): Watched {
  const [held, setHeld] = useState({ sessionId, watched: nothingYet })

  useEffect(() => {
    if (!sessionId) {
      return
    }
    let timer: number | undefined
    let look: { startedAt: number; abort: AbortController } | null = null
    let failures = 0
    let paidSince: number | null = null
    let finished = false

    const show = (change: (before: Watched) => Watched) =>
      setHeld((before) => ({
        sessionId,
        watched: change(before.sessionId === sessionId ? before.watched : nothingYet),
      }))

    const next = (delay: number | null) => {
      window.clearTimeout(timer)
      finished = delay === null
      if (delay !== null && !document.hidden) {
        timer = window.setTimeout(() => void read(), delay)
      }
    }

    const read = async () => {
      window.clearTimeout(timer)
      look?.abort.abort()
      const current = { startedAt: Date.now(), abort: new AbortController() }
      look = current
      try {
        const status = await readSessionStatus(sessionId, current.abort)
        if (look !== current) {
          return
        }
        failures = 0
        paidSince = status.state === "paid" ? (paidSince ?? Date.now()) : null
        const paidForMs = paidSince === null ? 0 : Date.now() - paidSince
        show(() => ({
          status,
          trouble: false,
          unknown: false,
          placingTakesLong: paidForMs >= PLACING_MS && !status.order_id,
        }))
        next(pollDelay(status, paidForMs))
      } catch (error) {
        if (look !== current) {
          return
        }
        failures += 1
        const unknown = isNotFound(error)
        show((before) => ({ ...before, trouble: !unknown && failures > 1, unknown }))
        next(backOff(failures))
      } finally {
        if (look === current) {
          look = null
        }
      }
    }

    const wake = () => {
      if (document.hidden) {
        window.clearTimeout(timer)
      } else if (!finished && (!look || Date.now() - look.startedAt > JUST_STARTED_MS)) {
        void read()
      }
    }

    void read()
    document.addEventListener("visibilitychange", wake)
    window.addEventListener("focus", wake)
    window.addEventListener("online", wake)
    window.addEventListener("pageshow", wake)
    return () => {
      window.clearTimeout(timer)
      look?.abort.abort()
      look = null
      document.removeEventListener("visibilitychange", wake)
      window.removeEventListener("focus", wake)
      window.removeEventListener("online", wake)
      window.removeEventListener("pageshow", wake)
    }
  }, [sessionId])

  return held.sessionId === sessionId ? held.watched : nothingYet
}
