"use client"

import { useCallback, useEffect, useRef, useState } from "react"
import { rememberBegun } from "./begun-payments.js"
import {
  hasOrder,
  type PaymentProof,
  type PaymentStatus,
  readPaymentStatus,
} from "./payment-status.js"
import { backOff, PLACING_MS, pollDelay } from "./poll-delay.js"
import { type ReaderSource, refusalStatus } from "./reader.js"

interface Known {
  /** Null until the store has answered. */
  status: PaymentStatus | null
  /** The last reads failed, so the status may be old. */
  trouble: boolean
  /** The store knows no such payment. */
  unknown: boolean
  /** The order has been missing for so long after the payment that a person must look at it. */
  placingTakesLong: boolean
}

export interface WatchedPayment extends Known {
  /** The store's present time, in milliseconds: a device's clock may be minutes wrong, but a countdown must be right. */
  serverNow: () => number
}

const NOTHING_YET: Known = {
  status: null,
  trouble: false,
  unknown: false,
  placingTakesLong: false,
}

/** Two triggers of the same cause (focus and visibility) make one look. */
const JUST_STARTED_MS = 800

/**
 * Follows a payment: every two seconds while the page is visible, at once when the shopper comes back to it or the network
 * returns, less and less often while the store does not answer, and not at all while the page is hidden or the device is offline.
 *
 * @param sessionId the payment session's id, or the return id; null while it is unknown, and empty without a payment
 * @param proof see `readPaymentStatus`
 */
export function usePaymentStatus(
  sessionId: string | null,
  reader: ReaderSource,
  { cartId, collectionId }: PaymentProof = {}
): WatchedPayment {
  const [held, setHeld] = useState({ sessionId, known: NOTHING_YET })
  const latestReader = useRef(reader)
  const clock = useRef({ aheadMs: 0, uncertainMs: Infinity })
  const serverNow = useCallback(() => Date.now() + clock.current.aheadMs, [])

  useEffect(() => {
    // Shops create their reader where they use it, so another object for the same store must not restart the following.
    latestReader.current = reader
  })

  useEffect(() => {
    if (!sessionId) {
      return
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    let look: { startedAt: number; abort: AbortController } | null = null
    let failures = 0
    let paidSince: number | null = null
    let finished = false

    const show = (change: (before: Known) => Known) =>
      setHeld((before) => ({
        sessionId,
        known: change(before.sessionId === sessionId ? before.known : NOTHING_YET),
      }))

    const next = (delay: number | null) => {
      clearTimeout(timer)
      finished = delay === null
      if (delay !== null && !isResting()) {
        timer = setTimeout(() => void read(), delay)
      }
    }

    const read = async () => {
      clearTimeout(timer)
      look?.abort.abort()
      const current = { startedAt: Date.now(), abort: new AbortController() }
      look = current
      try {
        const status = await readPaymentStatus(sessionId, latestReader.current, current.abort, {
          cartId,
          collectionId,
        })
        // A later look has begun, or following has ended, so this answer is too late.
        if (look !== current) {
          return
        }
        failures = 0
        const { return_id: returnId, payment_collection_id: paysFor } = status
        if (collectionId) {
          rememberBegun({ returnId, sessionId, page: location.href })
        } else if (returnId !== sessionId) {
          rememberBegun({ returnId, sessionId, collectionId: paysFor })
        }
        setClock(status.server_time, current.startedAt)
        paidSince = status.state === "paid" ? (paidSince ?? Date.now()) : null
        const paidForMs = paidSince === null ? 0 : Date.now() - paidSince
        show(() => ({
          status,
          trouble: false,
          unknown: false,
          placingTakesLong: paidForMs >= PLACING_MS && !hasOrder(status),
        }))
        next(pollDelay(status, paidForMs))
      } catch (error) {
        if (look !== current) {
          return
        }
        failures += 1
        const unknown = refusalStatus(error) === 404
        const trouble = !unknown && (failures > 1 || !navigator.onLine)
        show((before) => ({ ...before, trouble, unknown }))
        next(backOff(failures))
      } finally {
        if (look === current) {
          look = null
        }
      }
    }

    const setClock = (serverTime: string, askedAt: number) => {
      const uncertainMs = Date.now() - askedAt
      if (uncertainMs <= clock.current.uncertainMs) {
        const aheadMs = Date.parse(serverTime) - (askedAt + uncertainMs / 2)
        clock.current = { aheadMs, uncertainMs }
      }
    }

    const wake = () => {
      if (isResting()) {
        clearTimeout(timer)
      } else if (!finished && (!look || Date.now() - look.startedAt > JUST_STARTED_MS)) {
        void read()
      }
    }

    const goOffline = () => {
      clearTimeout(timer)
      if (!finished) {
        show((before) => ({ ...before, trouble: true }))
      }
    }

    void read()
    document.addEventListener("visibilitychange", wake)
    window.addEventListener("focus", wake)
    window.addEventListener("online", wake)
    window.addEventListener("pageshow", wake)
    window.addEventListener("offline", goOffline)
    return () => {
      clearTimeout(timer)
      look?.abort.abort()
      look = null
      document.removeEventListener("visibilitychange", wake)
      window.removeEventListener("focus", wake)
      window.removeEventListener("online", wake)
      window.removeEventListener("pageshow", wake)
      window.removeEventListener("offline", goOffline)
    }
  }, [sessionId, cartId, collectionId])

  const known = held.sessionId === sessionId ? held.known : NOTHING_YET
  return { ...known, unknown: known.unknown || sessionId === "", serverNow }
}

/** Whether the page is hidden or offline, so that no look is useful. */
function isResting(): boolean {
  return document.hidden || !navigator.onLine
}
