/** Core completes a cart with a session of such a status, and asks then whether it is paid. */
export function isOpenSession(status: string): boolean {
  return status === "pending" || status === "requires_more"
}

/** Core was told that such a session is paid, or that its order may be placed before it is. */
export function isAuthorizedSession(status: string): boolean {
  return status === "authorized" || status === "captured" || status === "pending_authorization"
}

/** Core neither completes a cart nor authorizes with such a session any more. */
export function isClosedSession(status: string): boolean {
  return status === "canceled" || status === "error"
}
