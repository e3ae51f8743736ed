export default function medusaError(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  throw new Error("Error setting up the request: " + message)
}
