import { problemOf, textOf } from "./problems"
import { money, time, type Text } from "../texts"
import { standingOf } from "./standing"
import { endOfTimeToPay, isTimeOver } from "./time-to-pay"
import { paidSum, type Transaction } from "./transaction"

/**
 * The answer to "the customer says they paid", as a code and as text.
 *
 * - `not_paid_yet`: the payer may still pay
 * - `not_paid`: the time to pay is over, or it was canceled, and no money came
 * - `not_opened`: the service refused to open it
 * - `uncertain`: nobody knows whether the service opened it, what became of it by the end of its time, or what its status means
 * - `paid_order_pending`: paid in full; Medusa has not taken it yet
 * - `paid`: paid in full, and Medusa has it
 * - `needs_person`: money came, and a person has to look at it
 * - `taken_care_of`: a person took care of its money
 */
type VerdictKind =
  | "not_paid_yet"
  | "not_paid"
  | "not_opened"
  | "uncertain"
  | "paid_order_pending"
  | "paid"
  | "needs_person"
  | "taken_care_of"

interface Verdict {
  kind: VerdictKind
  messages: Text
}

/** The verdict on a transaction in its present state. */
export function verdictOf(row: Transaction, now: Date): Verdict {
  const trouble = problemOf(row)
  const standing = standingOf(row)
  const paid = money(paidSum(row))
  const at = (moment: Date | null) => time((moment ?? now).toISOString())
  const status = row.status ?? ""

  switch (standing) {
    case "opening":
      return verdict("uncertain", {
        en: "The payment is being opened: the service has not answered yet.",
        ru: "Платёж создаётся: сервис ещё не ответил.",
      })
    case "unanswered":
      return verdict("uncertain", {
        en: "No answer of the service arrived when the payment was opened. If it made one that was paid, the next comparison finds it; you can also enter its ID.",
        ru: "При создании платежа ответ сервиса не пришёл. Если сервис его всё же создал и он оплачен, его найдёт следующая сверка; можно и самим ввести его идентификатор.",
      })
    case "not_opened":
      return verdict("not_opened", {
        en: "The service refused to open the payment, so nothing was paid.",
        ru: "Сервис отказался создать платёж, поэтому оплаты не было.",
      })
    case "payable": {
      if (trouble) return verdict("uncertain", textOf(trouble))
      const end = at(endOfTimeToPay(row))
      if (!isTimeOver(row, now)) {
        return verdict("not_paid_yet", {
          en: `Nothing has been paid yet. The customer can pay until ${end.en}.`,
          ru: `Оплаты пока нет. Клиент может оплатить до ${end.ru}.`,
        })
      }
      // An answer from before the end says nothing about money that came after it.
      return row.read_at && isTimeOver(row, row.read_at)
        ? verdict("not_paid", {
            en: `Nothing was paid by ${end.en}, when the time to pay was over.`,
            ru: `До ${end.ru}, когда истекло время на оплату, оплаты не было.`,
          })
        : verdict("uncertain", {
            en: `The time to pay was over on ${end.en}, and the service has not answered since. Whether it was paid is not known.`,
            ru: `Время на оплату истекло ${end.ru}, и с тех пор ответа сервиса не было. Оплачено ли, неизвестно.`,
          })
    }
    case "over":
      return trouble
        ? verdict("needs_person", textOf(trouble))
        : verdict("not_paid", {
            en: `Nothing was paid: the service calls the payment "${status}".`,
            ru: `Оплаты не было: сервис сообщает статус «${status}».`,
          })
    case "waiting_for_medusa": {
      if (trouble) return verdict("needs_person", textOf(trouble))
      const paidAt = at(row.paid_at)
      return verdict("paid_order_pending", {
        en: `${paid.en} were paid (seen ${paidAt.en}), and the order is still being placed. That is tried again automatically.`,
        ru: `Оплата ${paid.ru} поступила (замечена ${paidAt.ru}), заказ ещё оформляется. Попытки повторяются автоматически.`,
      })
    }
    case "settled": {
      const settledAt = at(row.settled_at)
      return verdict("paid", {
        en: `${paid.en} were paid, and Medusa has the payment (since ${settledAt.en}).`,
        ru: `Оплата ${paid.ru} поступила и учтена в Medusa с ${settledAt.ru}.`,
      })
    }
    case "waiting_for_person":
      return verdict("needs_person", trouble ? textOf(trouble) : { en: status, ru: status })
    case "taken_care_of": {
      const handledAt = at(row.handled_at)
      return verdict("taken_care_of", {
        en: `${paid.en} were paid, and a person handled the money on ${handledAt.en}.`,
        ru: `Оплата ${paid.ru} поступила; её обработал сотрудник (${handledAt.ru}).`,
      })
    }
  }
}

function verdict(kind: VerdictKind, messages: Text): Verdict {
  return { kind, messages }
}
