"use client"

import { useSyncExternalStore } from "react"
import { pageOfReturn, sessionOfReturn } from "./begun-payments.js"

interface PaymentInAddress {
  /** Empty when the address has no payment; null on the server, which does not know the address. */
  sessionId: string | null
  /** The payer has returned from the service. */
  returned: boolean
}

/** The payment in the page's address: `?session=payses_…`, or `?return=…` for a payer who returned from the service. */
export function usePaymentInAddress(): PaymentInAddress {
  const query = useSyncExternalStore(subscribe, inBrowser, onServer)
  if (query === null) {
    return { sessionId: null, returned: false }
  }
  const named = new URLSearchParams(query)
  const returnId = named.get("return")
  return returnId === null
    ? { sessionId: sessionOfReturn(named.get("session") ?? ""), returned: named.has("returned") }
    : { sessionId: sessionOfReturn(returnId), returned: true }
}

/** The page of the payment link, or of the order, on which the payer began the payment of the page's address. */
export function pageInAddress(): string | undefined {
  return pageOfReturn(new URLSearchParams(location.search).get("return") ?? "")
}

/** Keeps a new payment in the address, so that a reload shows it again. */
export function keepInAddress(sessionId: string): void {
  const address = new URL(location.href)
  address.searchParams.set("session", sessionId)
  address.searchParams.delete("return")
  address.searchParams.delete("returned")
  // A router's own state belongs to the previous address.
  history.replaceState(null, "", address)
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("popstate", changed)
  return () => window.removeEventListener("popstate", changed)
}

const inBrowser = () => location.search
const onServer = () => null
