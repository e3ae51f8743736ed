/**
 * The service's status names, by their meaning. The specification shows only `PENDING` and `CANCELED`, so every other name is the
 * merchant's configuration.
 */
export interface StatusNames {
  paid: readonly string[]
  pending: readonly string[]
  canceled: readonly string[]
  expired: readonly string[]
  reversed: readonly string[]
}

export type StatusMeaning = keyof StatusNames | "unknown"

const MEANINGS = ["paid", "pending", "canceled", "expired", "reversed"] as const

/** The meaning of a status that was read at the service; `unknown` when no configured list names it. */
export function meaningOf(status: string, names: StatusNames): StatusMeaning {
  return MEANINGS.find((meaning) => names[meaning].includes(status)) ?? "unknown"
}
