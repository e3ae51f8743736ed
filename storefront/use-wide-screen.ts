import { useSyncExternalStore } from "react"

const WIDE = "(min-width: 768px)"

/** Wide enough to be another device than the phone that pays. A server does not know, and says no. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => false
  )
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener("change", listener)
  return () => query.removeEventListener("change", listener)
}
