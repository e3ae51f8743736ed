/** The colors of what the options take the service's statuses for. */
export const MEANING_COLORS = {
  paid: "green",
  pending: "blue",
  canceled: "grey",
  expired: "grey",
  reversed: "red",
  unknown: "orange",
} as const
