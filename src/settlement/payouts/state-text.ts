import type { Text } from "../../texts"
import type { PayoutEntryKind, PayoutState } from "./payout"

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

/** The names of the kinds of entries in a payout's journal, in files. */
export const PAYOUT_ENTRY_TEXTS: Record<PayoutEntryKind, Text> = {
  made: { en: "Made", ru: "Составлена" },
  edited: { en: "Changed", ru: "Изменена" },
  approved: { en: "Approved", ru: "Одобрена" },
  discarded: { en: "Discarded", ru: "Удалена" },
  sending: { en: "Sent to the service", ru: "Отправлена в сервис" },
  held_back: { en: "Not sent after all", ru: "Всё же не отправлена" },
  answered: { en: "Answered by the service", ru: "Получен ответ сервиса" },
  lost: { en: "No answer came", ru: "Ответ не получен" },
  mark_proposed: { en: "Mark proposed", ru: "Предложена отметка" },
  marked: { en: "Marked", ru: "Отмечена" },
}
