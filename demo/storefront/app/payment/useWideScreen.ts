import { useSyncExternalStore } from "react"

const query = window.matchMedia("(min-width: 768px)")

/** Wide enough to be another device than the phone that pays. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}

function subscribe(listener: () => void): () => void {
  query.addEventListener("change", listener)
  return () => query.removeEventListener("change", listener)
}
