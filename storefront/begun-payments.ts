const KEY = "medusa-payment-sbp-crypto"
/** More than a shopper pays for at once; older payments are forgotten. */
const MOST = 20

interface Begun {
  returnId: string
  sessionId: string
  /** The payment collection that it pays for. */
  collectionId?: string | null
  /** The page of a payment link, or of an order, to which a payer goes back from the page of the payment. */
  page?: string
}

/** Remembers in this browser that the payment with this return id was begun here, by which session and on which page. */
export function rememberBegun(payment: Begun): void {
  const { returnId, sessionId } = payment
  const others = begun().filter((one) => one.returnId !== returnId)
  const before = begunBy(returnId)
  // By the return id alone the store tells less, so that a session which is known stays.
  const known = {
    ...before,
    ...payment,
    ...(before && sessionId === returnId && { sessionId: before.sessionId }),
  }
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, known].slice(-MOST)))
  } catch {
    // A browser without storage is told less when it comes back.
  }
}

/**
 * The payment of a return address: its session in the browser in which it was begun, and else the return id itself, for which the
 * store tells state, sum and the order's number.
 */
export function sessionOfReturn(returnId: string): string {
  return begunBy(returnId)?.sessionId ?? returnId
}

/**
 * The session of the payment that this browser followed last for this collection; null without one. A cart may have lost the session
 * by now, because its sum changed or another way to pay was chosen.
 */
export function sessionOfCollection(collectionId: string): string | null {
  return begun().findLast((one) => one.collectionId === collectionId)?.sessionId ?? null
}

/** The page on which the payment was begun in this browser, if the payer is to go back there. */
export function pageOfReturn(returnId: string): string | undefined {
  return begunBy(returnId)?.page
}

const begunBy = (id: string) => begun().find(({ returnId }) => returnId === id)

function begun(): Begun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]")
    return Array.isArray(kept) ? kept.filter(isBegun) : []
  } catch {
    return []
  }
}

function isBegun(kept: unknown): kept is Begun {
  const { returnId, sessionId } = (kept ?? {}) as Partial<Record<keyof Begun, unknown>>
  return typeof returnId === "string" && typeof sessionId === "string"
}
