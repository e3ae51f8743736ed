import type { ComparedTransaction, RecordDifference } from "./compare-record"
import { type Reason, reasonsText } from "./problems/reasons"
import { money, NOTHING, type Text } from "../texts"
import { standingOf } from "./standing"
import { paidSum, type Transaction } from "./transaction"
import type { TransactionException } from "./transaction-state"

type StandingRow = Parameters<typeof standingOf>[0]

const STANDINGS: Record<ReturnType<typeof standingOf>, Text> = {
  opening: { en: "Being opened", ru: "Создаётся" },
  not_opened: { en: "Not opened", ru: "Не создана" },
  unanswered: { en: "No reply", ru: "Нет ответа" },
  payable: { en: "Waiting for payment", ru: "Ожидает оплаты" },
  over: { en: "Not paid", ru: "Не оплачена" },
  waiting_for_medusa: { en: "Paid, order under way", ru: "Оплачена, заказ оформляется" },
  settled: { en: "Paid", ru: "Оплачена" },
  waiting_for_person: { en: "Needs attention", ru: "Требует внимания" },
  taken_care_of: { en: "Handled", ru: "Обработана вручную" },
}

/** The text for a row that does not keep the reasons of its exception. */
const EXCEPTIONS: Record<TransactionException, Text> = {
  amount_less: { en: "less was paid", ru: "оплачено меньше" },
  amount_more: { en: "more was paid", ru: "оплачено больше" },
  currency_differs: { en: "other currency", ru: "другая валюта" },
  merchant_differs: { en: "other merchant", ru: "другой мерчант" },
  reference_differs: { en: "other reference", ru: "другой референс" },
  unknown_status: { en: "unknown status", ru: "неизвестный статус" },
  reversed: { en: "taken back", ru: "оплата отозвана" },
  changed_since_handled: {
    en: "changed since it was handled",
    ru: "изменилась после обработки",
  },
  session_gone: { en: "session was replaced", ru: "сессия заменена" },
  session_differs: {
    en: "order or session has another sum",
    ru: "другая сумма заказа или сессии",
  },
  cart_changed: { en: "cart was changed", ru: "корзина изменена" },
  order_canceled: { en: "order was canceled", ru: "заказ отменён" },
  payment_canceled: { en: "payment was canceled in Medusa", ru: "платёж отменён в Medusa" },
  paid_twice: { en: "paid twice", ru: "оплачено дважды" },
  completion_failed: { en: "order could not be placed", ru: "не удалось оформить заказ" },
}

const NOT_SETTLED: Text = {
  en: "paid, and Medusa has not taken it yet",
  ru: "оплачена, но ещё не учтена в Medusa",
}

/** The standing of a payment as text. */
export function standingText(row: StandingRow): Text {
  return STANDINGS[standingOf(row)]
}

/** Why a payment in Medusa differs from the service's; empty when all is in order. */
export function differenceOfRow(
  row: StandingRow & Pick<Transaction, "exception"> & { exception_reasons: Reason[] | null }
): Text {
  const { exception, exception_reasons } = row
  if (exception !== null) {
    return exception_reasons?.length ? reasonsText(exception_reasons) : EXCEPTIONS[exception]
  }
  return standingOf(row) === "waiting_for_medusa" ? NOT_SETTLED : NOTHING
}

/** The difference between a record of the service's list and our row, as text. Only `not_here` has no row. */
export function differenceOfRecord(
  difference: RecordDifference,
  row: ComparedTransaction | null
): Text {
  switch (difference) {
    case "not_here":
      return { en: "paid, and unknown to this store", ru: "оплачена, магазину неизвестна" }
    case "not_bound":
      return {
        en: "paid, and the store never got the reply to its creation",
        ru: "оплачена, но ответа о её создании магазин не получил",
      }
    case "paid_there":
      return {
        en: "paid at the service and not in this store",
        ru: "в сервисе оплачена, в магазине — нет",
      }
    case "not_paid_there":
      return {
        en: "paid in this store and not at the service",
        ru: "в магазине оплачена, в сервисе — нет",
      }
    case "amount": {
      const { en, ru } = row ? money(paidSum(row)) : NOTHING
      return { en: `another sum in this store: ${en}`, ru: `в магазине другая сумма: ${ru}` }
    }
    case "not_settled":
      return NOT_SETTLED
    case "status": {
      const ours = row?.status ?? row?.state ?? ""
      return {
        en: `another status in this store: ${ours}`,
        ru: `в магазине другой статус: ${ours}`,
      }
    }
  }
}

/** Says that a record of the service's list is not as specified; `field` is the first such field, "" for the whole record. */
export function oddRecordText(field: string): Text {
  return field === ""
    ? { en: "the record could not be read", ru: "запись прочитать не удалось" }
    : {
        en: `the record could not be read in full: ${field}`,
        ru: `запись прочитана не полностью: ${field}`,
      }
}
