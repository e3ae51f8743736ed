const KEY = "medusa-payment-sbp-crypto"
/** More than a shopper pays for at once; older payments are forgotten. */
const MOST = 20

/** Sessions by return id, the oldest first. */
type Begun = [returnId: string, sessionId: string][]

/** Remembers in this browser that the payment with this return id was begun here, and by which session. */
export function rememberBegun(returnId: string, sessionId: string): void {
  const others = begun().filter(([id]) => id !== returnId)
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, [returnId, sessionId]].slice(-MOST)))
  } catch {
    // A browser without storage is told less when it comes back.
  }
}

/**
 * The payment of a return address: its session in the browser in which it was begun, and else the return id itself, for which the
 * store tells state, sum and the order's number.
 */
export function sessionOfReturn(returnId: string): string {
  return begun().find(([id]) => id === returnId)?.[1] ?? returnId
}

function begun(): Begun {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Begun
  } catch {
    return []
  }
}
