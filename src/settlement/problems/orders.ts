import { compareAmounts, subtractAmounts, toWireAmount } from "../amount"
import { causeOfBalance, causeOfRefundDue, causeOfUnpaidOrder } from "../cause"
import type { AskedRefund } from "../refund-due"
import { entry } from "./entry"
import { type Refusal, refusalText } from "./refusals"
import { counted, money, NOTHING, type Sum, type Text, time } from "../../texts"

/** Money that is to be paid back. */
export interface RefundDueFacts {
  row: string
  order: string
  /** The whole sum, including payouts that nobody has recorded yet. */
  due: Sum
  /** The sum of payouts that nobody has recorded yet. */
  paid_out?: Sum
  /** The refund requests that are still due; none for a canceled order, because all of its money is due. */
  requests: AskedRefund[]
}

export interface UnpaidOrderFacts {
  order: string
  /** Medusa's reason for not canceling the order, if it was to be canceled. */
  refusal: Refusal | null
}

export interface UnderpaidFacts {
  order: string
  /** The order's name for a person, its number for example. */
  name: string
  worth: Sum
  paid: Sum
  owed: Sum
}

export const ORDER_PROBLEMS = {
  /**
   * An order was canceled, or a refund was asked for, and the money has not gone back. It may always open again, because closing
   * it by a person makes the money not due any more, see `followRefundDue`.
   */
  refund_due: entry<RefundDueFacts>({
    cause: ({ row }) => causeOfRefundDue(row),
    opensAgain: "always",
    actions: ["pay_out", "record_refund", "refunded_outside", "handle"],
    closes: {
      en: "Closes by itself when nothing is to be paid back any more.",
      ru: "Закроется сама, когда возвращать будет больше нечего.",
    },
    text: ({ order, due, paid_out: paidOut, requests }) => {
      const asked = requestsInWords(requests, due.currency)
      const left = paidOut ? leftOf(due, paidOut) : due
      if (paidOut && !left) return allPaidOut(order, paidOut)
      const sum = money(left ?? due)
      const paid = paidOut ? paidOutInWords(paidOut) : NOTHING
      return {
        en:
          `${sum.en} of order ${order} are to be paid back. The service cannot refund: pay the money back and ` +
          `record it here.${paid.en}${asked.en}`,
        ru:
          `По заказу ${order} нужно вернуть ${sum.ru}. Сервис не умеет делать возвраты: верните деньги другим ` +
          `способом и отметьте это здесь.${paid.ru}${asked.ru}`,
      }
    },
  }),

  /**
   * An order was placed before its payment, did not get it in time, and was not canceled. It opens again for a payment that was
   * begun after a person had closed it.
   */
  order_unpaid: entry<UnpaidOrderFacts>({
    cause: ({ order }) => causeOfUnpaidOrder(order),
    opensAgain: "when_newer",
    actions: ["retry", "handle"],
    closes: {
      en: "Closes by itself when the order is paid or canceled.",
      ru: "Закроется сама, когда заказ оплатят или отменят.",
    },
    text: ({ order, refusal }) => {
      const why = refusal && refusalText(refusal)
      return why
        ? {
            en: `Order ${order} was not paid in time, and Medusa could not cancel it (${why.en}).`,
            ru: `Заказ ${order} не оплачен вовремя, и Medusa не смогла его отменить (${why.ru}).`,
          }
        : {
            en: `Order ${order} was not paid in time. Cancel it, or mark it as paid if it was paid in another way.`,
            ru:
              `Заказ ${order} не оплачен вовремя. Отмените его или отметьте как оплаченный, если его оплатили ` +
              "другим способом.",
          }
    },
  }),

  /** Less money was taken for an order than it is worth, and nobody has accepted that. */
  order_underpaid: entry<UnderpaidFacts>({
    cause: ({ order }) => causeOfBalance(order),
    opensAgain: "when_other",
    actions: ["retry", "handle"],
    closes: {
      en: "Closes by itself when no more is owed on the order than was accepted.",
      ru: "Закроется сама, когда долг по заказу не будет больше согласованного.",
    },
    text: ({ name, ...facts }) => {
      const [worth, paid, owed] = [money(facts.worth), money(facts.paid), money(facts.owed)]
      return {
        en:
          `Order ${name} is worth ${worth.en}, and ${paid.en} were paid: ${owed.en} are owed. Send the customer ` +
          "a payment link, or mark this as handled if it is as it should be.",
        ru:
          `Стоимость заказа ${name} — ${worth.ru}, а оплачено ${paid.ru}: не хватает ${owed.ru}. Отправьте ` +
          "клиенту ссылку на оплату или отметьте проблему решённой, если так и должно быть.",
      }
    },
  }),
}

/** The sum that is still to be paid back, or null when payouts have paid back all of it. */
function leftOf({ amount, currency }: Sum, paidOut: Sum): Sum | null {
  const left = subtractAmounts(amount, paidOut.amount)
  return compareAmounts(left, 0) > 0 ? { amount: toWireAmount(left), currency } : null
}

function paidOutInWords(paidOut: Sum): Text {
  const paid = money(paidOut)
  return {
    en: ` Besides, ${paid.en} were paid out for it and are not recorded yet: record the refund.`,
    ru: ` Кроме того, ${paid.ru} уже выплачены, но возврат не записан: запишите его.`,
  }
}

function allPaidOut(order: string, paidOut: Sum): Text {
  const paid = money(paidOut)
  return {
    en: `Everything that was to be paid back of order ${order} was paid out: ${paid.en}. Record the refund, so that Medusa books it.`,
    ru: `По заказу ${order} выплачено всё, что нужно было вернуть: ${paid.ru}. Запишите возврат, чтобы Medusa его провела.`,
  }
}

/** Core deletes a refund that was refused, so only a person can tell a second request from a repeated one. */
function requestsInWords(requests: AskedRefund[], currency: string): Text {
  if (requests.length < 2) {
    return NOTHING
  }
  const times = counted(requests.length, ["time", "times"], ["раз", "раза", "раз"])
  const each = (language: keyof Text) =>
    requests
      .map(({ amount, at }) => `${money({ amount, currency })[language]} — ${time(at)[language]}`)
      .join("; ")
  return {
    en:
      ` It was asked for ${times.en} (${each("en")}), and each counts, up to what Medusa holds. If one of them was ` +
      "only repeated, record what really went back, and mark the rest as handled.",
    ru:
      ` Возврат запрашивали ${times.ru} (${each("ru")}); учитываются все запросы в пределах суммы, которая числится ` +
      "в Medusa. Если какой-то из них — повтор, запишите, сколько вернули на самом деле, а остаток отметьте решённым.",
  }
}
