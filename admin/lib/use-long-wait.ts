import { useEffect, useState } from "react"

const LONG_MS = 1_000

/** Whether something has been waited for longer than a moment, so that quick answers change no text on the page. */
export function useLongWait(isWaiting: boolean): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLong(true), LONG_MS)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isWaiting])
  return isLong
}
