/** What went wrong, in words: an error that crossed a workflow arrives as a plain object with its fields. */
export function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error)
}
