import { useEffect, useState } from "react"
import { serverNow } from "../config"

/** Milliseconds until an ISO time, never below zero, renewed twice a second; null when there is no such time. */
export function useTimeLeft(until: string | null): number | null {
  const end = until === null ? NaN : Date.parse(until)
  const [now, setNow] = useState(serverNow)

  useEffect(() => {
    const tick = () => setNow(serverNow())
    tick()
    const timer = window.setInterval(tick, 500)
    document.addEventListener("visibilitychange", tick)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener("visibilitychange", tick)
    }
  }, [])

  return Number.isNaN(end) ? null : Math.max(0, end - now)
}
