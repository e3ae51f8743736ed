"use client"

import { useEffect, useRef, useState } from "react"

const TICK_MS = 500

/**
 * Milliseconds until an ISO time, never below zero, renewed twice a second. Null when there is no such time, and in the
 * first rendering, because server and browser do not read the same clock.
 *
 * @param serverNow the clock to go by, in milliseconds; `usePaymentStatus` gives the store's
 */
export function useTimeLeft(
  expiresAt: string | null,
  serverNow: () => number = Date.now
): number | null {
  const end = expiresAt === null ? NaN : Date.parse(expiresAt)
  const [now, setNow] = useState<number | null>(null)
  const ends = !Number.isNaN(end)
  const latestClock = useRef(serverNow)

  useEffect(() => {
    // A clock that is written where it is used is another function each time.
    latestClock.current = serverNow
  })

  useEffect(() => {
    if (!ends) {
      return
    }
    const tick = () => setNow(latestClock.current())
    tick()
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener("visibilitychange", tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener("visibilitychange", tick)
    }
  }, [ends])

  return ends && now !== null ? Math.max(0, end - now) : null
}
