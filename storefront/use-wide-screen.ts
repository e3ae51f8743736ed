import { useSyncExternalStore } from "react"

const WIDE = "(min-width: 768px)"

/** Whether the screen is so wide that it is not the paying phone's. A server does not know, and answers no. */
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
