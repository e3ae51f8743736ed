import { causeOfBalance, causeOfStatus, causeOfTransaction } from "../cause"
import type { TransactionException } from "../transaction-state"
import type { Difference } from "./differences"
import { entry } from "./entry"
import { type Reason, reasonsText } from "./reasons"
import { money, NOTHING, type Sum, type Text } from "../../texts"

/** The facts that `problemOf` reads from a transaction's row. */
export interface PaidFacts {
  /** Our row. */
  row: string
  exception: Exclude<TransactionException, "unknown_status">
  asked: Sum
  /** The sum in the service's answer, else the sum that was asked for. */
  paid: Sum
  /** Whether the payment came after its time to pay or after a cancellation. */
  late: boolean
  /** Medusa's reasons for refusing the payment, or the differences. */
  reasons: Reason[]
}

/** An order that was overpaid. */
export interface OverpaidFacts {
  order: string
  /** The order's name for a person, its number for example. */
  name: string
  worth: Sum
  paid: Sum
  excess: Sum
  /** The part of the excess that the problem is about, when its payment holds no more. */
  part?: Sum
}

/** One problem per transaction. */
const OF_ROW = {
  cause: ({ row }: PaidFacts) => causeOfTransaction(row),
  opensAgain: "when_newer",
} as const

/** Actions for money that no order took. */
const PAID_BACK = ["pay_out", "record_refund", "refunded_outside"] as const
const ORDERABLE = ["retry", "place_order", ...PAID_BACK, "handle"] as const

const FITS_AGAIN: Text = {
  en: "Closes by itself when the payment fits its cart or order again.",
  ru: "Закроется сама, когда оплата снова будет соответствовать корзине или заказу.",
}
const READ_IN_FULL: Text = {
  en: "Closes by itself when the service confirms the sum that was asked for.",
  ru: "Закроется сама, когда сервис подтвердит запрошенную сумму.",
}

const OTHER_AMOUNT = entry<PaidFacts>({
  ...OF_ROW,
  actions: ["retry", "accept_amount", ...PAID_BACK, "handle"],
  closes: READ_IN_FULL,
  text: otherAmount,
})

export const PAYMENT_PROBLEMS = {
  /** Paid in full, but Medusa refused every attempt to place the order. */
  paid_without_order: entry<PaidFacts>({
    ...OF_ROW,
    actions: ORDERABLE,
    closes: {
      en: "Closes by itself when the order is placed.",
      ru: "Закроется сама, когда заказ будет оформлен.",
    },
    text: (facts) => {
      const { paid, late } = wordsOf(facts)
      return facts.exception === "payment_canceled"
        ? withReason(facts, {
            en: `${paid.en} were paid${late.en}, but the payment had been canceled in Medusa.`,
            ru: `Оплата ${paid.ru} поступила${late.ru}, но платёж в Medusa уже был отменён.`,
          })
        : withReason(facts, {
            en: `${paid.en} were paid${late.en}, but Medusa could not place the order.`,
            ru: `Оплата ${paid.ru} поступила${late.ru}, но Medusa не смогла оформить заказ.`,
          })
    },
  }),

  /** Paid after its session was deleted or replaced, or after the cart became worth another sum. */
  paid_after_change: entry<PaidFacts>({
    ...OF_ROW,
    actions: ORDERABLE,
    closes: FITS_AGAIN,
    text: afterChange,
  }),

  /** Paid after its time or a cancellation, when the order was canceled or session or cart had changed. */
  paid_late: entry<PaidFacts>({
    ...OF_ROW,
    actions: ORDERABLE,
    closes: FITS_AGAIN,
    text: (facts) => {
      const { paid } = wordsOf(facts)
      return facts.exception === "order_canceled"
        ? withReason(facts, {
            en: `${paid.en} were paid after the order had been canceled.`,
            ru: `Оплата ${paid.ru} поступила после отмены заказа.`,
          })
        : afterChange(facts)
    },
  }),

  /** Another payment has paid already for the cart or order of this transaction, or an order was overpaid. */
  paid_twice: entry<PaidFacts | OverpaidFacts>({
    cause: (facts) =>
      "row" in facts ? causeOfTransaction(facts.row) : causeOfBalance(facts.order),
    opensAgain: (facts) => ("row" in facts ? "when_newer" : "when_other"),
    actions: ["retry", ...PAID_BACK, "handle"],
    closes: {
      en: "Closes by itself when nothing is overpaid any more.",
      ru: "Закроется сама, когда переплаты больше не будет.",
    },
    text: (facts) => {
      const paid = money(facts.paid)
      if ("row" in facts) {
        const { late } = wordsOf(facts)
        return withReason(facts, {
          en: `${paid.en} were paid${late.en} for something that another payment had paid already.`,
          ru: `Оплата ${paid.ru} поступила${late.ru}, но всё уже оплачено другим платежом.`,
        })
      }
      const [worth, excess] = [money(facts.worth), money(facts.excess)]
      const part = facts.part && money(facts.part)
      const ofPart = part && {
        en: ` This problem is about the ${part.en} of it that this payment holds; the rest follows when they have gone back.`,
        ru: ` Здесь речь о ${part.ru} из неё, которые пришли этой оплатой; остальное появится, когда они будут возвращены.`,
      }
      return {
        en: `Order ${facts.name} is worth ${worth.en}, and ${paid.en} were paid: ${excess.en} too much.${ofPart?.en ?? ""}`,
        ru: `Стоимость заказа ${facts.name} — ${worth.ru}, а оплачено ${paid.ru}: переплата ${excess.ru}.${ofPart?.ru ?? ""}`,
      }
    },
  }),

  /** Less was paid than asked for, so nothing is captured. */
  amount_less: OTHER_AMOUNT,

  /** More was paid than asked for, so nothing is captured. */
  amount_more: OTHER_AMOUNT,

  /** Medusa can book nothing in another currency. */
  currency_differs: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "handle"],
    closes: {
      en: "Closes by itself when the service names the currency that was asked for.",
      ru: "Закроется сама, когда сервис назовёт запрошенную валюту.",
    },
    text: (facts) => {
      const { paid, asked } = wordsOf(facts)
      return withReason(without("currency", facts), {
        en: `${paid.en} were paid instead of the ${asked.en} that were asked for: another currency.`,
        ru: `Оплачено ${paid.ru} вместо ${asked.ru}: другая валюта.`,
      })
    },
  }),

  /** The service names another merchant or another reference for one of our transactions. */
  not_ours: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "handle"],
    closes: {
      en: "Closes by itself when the service names our merchant and reference.",
      ru: "Закроется сама, когда сервис назовёт нашего мерчанта и наш референс.",
    },
    text: (facts) => {
      const { paid } = wordsOf(facts)
      return facts.exception === "merchant_differs"
        ? withReason(facts, {
            en: `The service names another merchant for a payment of ${paid.en} than the one it was opened for.`,
            ru: `Сервис называет для оплаты ${paid.ru} не того мерчанта, для которого она создана.`,
          })
        : withReason(facts, {
            en: `The service names another reference for a payment of ${paid.en} than the one it was opened with.`,
            ru: `Сервис называет для оплаты ${paid.ru} не тот референс, с которым она создана.`,
          })
    },
  }),

  /** One per status name that no option lists. */
  unknown_status: entry<{ merchant: string; status: string }>({
    cause: ({ merchant, status }) => causeOfStatus(merchant, status),
    opensAgain: "when_newer",
    actions: ["retry", "handle"],
    closes: {
      en: "Closes by itself when no transaction has this status any more, or an option names it.",
      ru: "Закроется сама, когда транзакций с этим статусом не останется или он появится в настройках.",
    },
    text: ({ status }) => ({
      en:
        `The service calls a transaction "${status}", which none of the options statuses.* names. Until one ` +
        "does, such payments stay pending.",
      ru:
        `Сервис сообщает статус «${status}», которого нет ни в одной из настроек statuses.*. Пока его туда ` +
        "не добавят, такие платежи остаются в ожидании.",
    }),
  }),

  /** The service took back a payment that it had confirmed; Medusa may hold it as captured. */
  reversed: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "refunded_outside", "handle"],
    closes: {
      en: "Closes by itself when the service confirms the payment again.",
      ru: "Закроется сама, когда сервис снова подтвердит оплату.",
    },
    text: (facts) => {
      const { paid } = wordsOf(facts)
      return withReason(facts, {
        en:
          `The service took back a payment of ${paid.en} that it had confirmed before. Nothing more of it is ` +
          "to be paid back.",
        ru:
          `Сервис отозвал оплату ${paid.ru}, которую раньше подтвердил. Возвращать по ней больше ничего ` +
          "не нужно.",
      })
    },
  }),

  /** The service's answer about the money differs from the state when a person took care of it. */
  changed_since_handled: entry<PaidFacts>({
    ...OF_ROW,
    actions: ["retry", "refunded_outside", "handle"],
    closes: {
      en: "Closes by itself when the service says the same again as when it was handled.",
      ru: "Закроется сама, когда сервис снова сообщит то же, что и во время обработки.",
    },
    text: (facts) => {
      const { paid } = wordsOf(facts)
      return withReason(facts, {
        en: `A person handled a payment of ${paid.en}, and the service now says something else about it.`,
        ru: `Оплату ${paid.ru} уже обработал сотрудник, но теперь сервис сообщает о ней другое.`,
      })
    },
  }),
}

function wordsOf({ asked, paid, late }: PaidFacts): Record<"asked" | "paid" | "late", Text> {
  return {
    asked: money(asked),
    paid: money(paid),
    late: late ? { en: " late", ru: " с опозданием" } : NOTHING,
  }
}

function withReason({ reasons }: PaidFacts, { en, ru }: Text): Text {
  if (!reasons.length) {
    return { en, ru }
  }
  const why = reasonsText(reasons)
  return { en: beforeItsEnd(en, why.en), ru: beforeItsEnd(ru, why.ru) }
}

const beforeItsEnd = (sentence: string, why: string) => `${sentence.replace(/\.$/, "")} (${why}).`

/** The facts without the reason that the sentence gives already. */
const without = (told: Difference["what"], facts: PaidFacts): PaidFacts => ({
  ...facts,
  reasons: facts.reasons.filter((reason) => !("what" in reason && reason.what === told)),
})

function afterChange(facts: PaidFacts): Text {
  const { paid, late } = wordsOf(facts)
  switch (facts.exception) {
    case "session_gone":
      return withReason(without("session_gone", facts), {
        en: `${paid.en} were paid${late.en} after their payment session had been deleted or replaced.`,
        ru: `Оплата ${paid.ru} поступила${late.ru} после того, как платёжную сессию удалили или заменили.`,
      })
    case "session_differs":
      return withReason(facts, {
        en: `${paid.en} were paid${late.en}, but the payment session is for another sum by now.`,
        ru: `Оплата ${paid.ru} поступила${late.ru}, но платёжная сессия теперь на другую сумму.`,
      })
    default:
      return withReason(facts, {
        en: `${paid.en} were paid${late.en} after the cart had changed.`,
        ru: `Оплата ${paid.ru} поступила${late.ru} после того, как корзина изменилась.`,
      })
  }
}

function otherAmount(facts: PaidFacts): Text {
  const { paid, asked } = wordsOf(facts)
  return withReason(without("amount", facts), {
    en: `${paid.en} were paid instead of the ${asked.en} that were asked for.`,
    ru: `Оплачено ${paid.ru} вместо ${asked.ru}.`,
  })
}
