"use client"

import { useSyncExternalStore } from "react"
import { pageOfReturn, sessionOfReturn } from "./begun-payments.js"

interface PaymentInAddress {
  /** Empty when the address has no payment; null on the server, which does not know the address. */
  sessionId: string | null
  /** The payer has returned from the service. */
  returned: boolean
  /** The id as it is in the address. */
  returnId?: string
  /** The page of the payment link, or of the order, on which a returning payer began the payment. */
  page?: string
}

/** The payment in the page's address: `?session=payses_…`, or `?return=…` for a payer who returned from the service. */
export function usePaymentInAddress(): PaymentInAddress {
  const query = useSyncExternalStore(subscribe, inBrowser, onServer)
  if (query === null) {
    return { sessionId: null, returned: false }
  }
  const named = new URLSearchParams(query)
  const returnId = named.get("return") ?? named.get("session") ?? ""
  return {
    sessionId: sessionOfReturn(returnId),
    returned: named.has("return") || named.has("returned"),
    returnId,
    page: pageOfReturn(returnId),
  }
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
