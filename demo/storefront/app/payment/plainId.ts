/** An id from the address bar: letters, digits, `_` and `-`. */
export function plainId(id: string | null | undefined): string | null {
  return id && /^[A-Za-z0-9_-]{1,128}$/.test(id) ? id : null
}
