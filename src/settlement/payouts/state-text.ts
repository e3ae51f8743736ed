import type { Text } from "../problems/words"
import type { PayoutState } from "./payout"

/** The names of a payout's states in files. */
export const PAYOUT_STATE_TEXTS: Record<PayoutState, Text> = {
  draft: { en: "Draft", ru: "Черновик" },
  awaiting_approval: { en: "Awaiting approval", ru: "Ждёт одобрения" },
  sending: { en: "Being sent", ru: "Отправляется" },
  created: { en: "Created", ru: "Создана" },
  rejected: { en: "Rejected", ru: "Отклонена" },
  unknown: { en: "Unknown", ru: "Исход неизвестен" },
  marked_sent: { en: "Marked as sent", ru: "Отмечена отправленной" },
  marked_not_sent: { en: "Marked as not sent", ru: "Отмечена неотправленной" },
  discarded: { en: "Discarded", ru: "Удалена" },
}
