"use client"

import { useSyncExternalStore } from "react"

export interface PaymentInAddress {
  /** Empty when the address names no payment; null on the server, which does not know the address. */
  sessionId: string | null
  /** The payer has come back from the service. */
  returned: boolean
}

/** The payment that the page's address names: `?session=payses_…`, with `&returned=true` for a payer who comes back. */
export function usePaymentInAddress(): PaymentInAddress {
  const query = useSyncExternalStore(subscribe, inBrowser, onServer)
  if (query === null) {
    return { sessionId: null, returned: false }
  }
  const named = new URLSearchParams(query)
  return { sessionId: named.get("session") ?? "", returned: named.has("returned") }
}

/** Keeps a new payment in the address, so that a reload shows it again. */
export function keepInAddress(sessionId: string): void {
  const address = new URL(location.href)
  address.searchParams.set("session", sessionId)
  address.searchParams.delete("returned")
  // A router's own state belongs to the address before.
  history.replaceState(null, "", address)
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("popstate", changed)
  return () => window.removeEventListener("popstate", changed)
}

const inBrowser = () => location.search
const onServer = () => null
