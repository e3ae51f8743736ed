/** Whether core completes a cart with such a session; core then asks us whether it is paid. */
export function isOpenSession(status: string): boolean {
  return status === "pending" || status === "requires_more"
}

/** Whether core was told that the session is paid, or that its order may be placed before the payment. */
export function isAuthorizedSession(status: string): boolean {
  return status === "authorized" || status === "captured" || status === "pending_authorization"
}

/** Whether core can neither complete a cart with such a session nor authorize it any more. */
export function isClosedSession(status: string): boolean {
  return status === "canceled" || status === "error"
}
