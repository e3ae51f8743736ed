"use client"

import { useEffect, useRef, useState } from "react"

const TICK_MS = 500

/**
 * Milliseconds until an ISO time, never below zero, updated twice a second. Null without such a time, and in the first rendering,
 * because the clocks of server and browser differ.
 *
 * @param serverNow the clock to use, in milliseconds; `usePaymentStatus` gives the store's
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
    // A clock function that is written inline is another function each time.
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
