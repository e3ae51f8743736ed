import { causeOfComparison, causeOfForeignPayments, causeOfPayment, causeOfRecord } from "../cause"
import type { MerchantAccount } from "../merchant-account"
import { entry } from "./entry"
import { type Refusal, refusalText } from "./refusals"
import { counted, day, money, type Sum, type Text } from "../../texts"

/** A transaction of ours: its row, and the service's id for it, if that is known. */
interface Ours {
  row: string
  transaction: string | null
}

/** A sum with the service's status for it. */
export interface StatedSum extends Sum {
  status: string
}

/** The service's answer to a read of this transaction alone, in contrast to its list. */
export type SingleReadAnswer =
  | ({ answer: "known" } & StatedSum)
  | { answer: "unknown" }
  | { answer: "unreadable"; reason: Refusal }

/** A paid record of the service's list. */
interface PaidRecord extends MerchantAccount {
  record: string
  listed: StatedSum
}

interface SecondPayment extends PaidRecord, Ours {
  found: "second_payment"
}

export type NotHereFacts =
  | (PaidRecord & { found: "unknown_reference"; reference: string })
  | (PaidRecord & Pick<Ours, "row"> & { found: "creation_without_reply" })
  | SecondPayment
  /** All listed payments without a payment of this store, as one problem, except those reported singly. */
  | (MerchantAccount & {
      found: "foreign_payments"
      from: string
      to: string
      count: number
      sums: Sum[]
      /** The service's statuses of them. */
      statuses: string[]
      /** The labels of the methods that were asked for, at the merchant's first account; none means all. */
      methods: string[]
      /** Ids of the first hundred records, those of earlier comparisons too, in lower case. */
      records: string[]
    })

/** A paid row that is in the list with another sum or status, or is missing there. */
type ListedOtherwise = Ours & {
  found: "listed_otherwise"
  listed: StatedSum
  alone: SingleReadAnswer
}
type NotListed = Ours & { found: "not_listed"; alone: SingleReadAnswer }

/** A captured payment of Medusa's. */
interface HeldPayment {
  payment: string
  held: Sum
}

export type NotThereFacts =
  | (ListedOtherwise & { seen: Sum })
  | (NotListed & { seen: Sum })
  /** Medusa holds the payment; `status` is the service's status for it, null when the service does not know it. */
  | (HeldPayment & Ours & { found: "held_in_medusa"; status: string | null })
  | (HeldPayment & { found: "known_to_nobody" })

export type RecordsDifferFacts =
  | ListedOtherwise
  | (NotListed & { seen: Sum })
  | SecondPayment
  /** Medusa holds a payment that this plugin never opened. `reason` says why it cannot be read; null when it is paid. */
  | (HeldPayment & { found: "never_opened"; reason: Refusal | null })
  | (HeldPayment & Ours & { found: "other_sum"; expected: Sum })
  | (HeldPayment & Ours & { found: "captured_twice" })
  | (HeldPayment & Ours & { found: "unreadable"; reason: Refusal })

const COMPARED_AGAIN: Text = {
  en: "Closes by itself when the daily comparison does not find it any more.",
  ru: "Закроется сама, когда ежедневная сверка её больше не найдёт.",
}

/**
 * Problems of the daily comparison. Every comparison finds the same ones again, so a problem that a person has closed opens again
 * only with another kind or sum.
 */
export const COMPARISON_PROBLEMS = {
  /** The service has a payment that this store does not know. */
  payment_not_here: entry<NotHereFacts>({
    cause: (facts) =>
      facts.found === "foreign_payments"
        ? causeOfForeignPayments(facts)
        : causeOfRecord(facts.merchantId, facts.record),
    opensAgain: "when_other",
    actions: ["handle"],
    closes: {
      en: "Closes by itself when the daily comparison finds it in the service's list as a payment of this store, or as not paid.",
      ru: "Закроется сама, когда ежедневная сверка увидит её в списке сервиса как оплату этого магазина или как неоплаченную.",
    },
    text: (facts) => {
      switch (facts.found) {
        case "unknown_reference": {
          const paid = recordInWords(facts)
          return {
            en: `The service lists a ${paid.en} with the reference ${facts.reference} of this plugin, which this store does not know.`,
            ru: `В списке сервиса есть ${paid.ru} с референсом ${facts.reference} этого модуля, но такого платежа в магазине нет.`,
          }
        }
        case "creation_without_reply": {
          const paid = recordInWords(facts)
          return {
            en: `The service lists a ${paid.en} for ${facts.row}, whose creation had no reply, but does not confirm it by that ID. Enter the transaction's ID on that payment's page.`,
            ru: `В списке сервиса есть ${paid.ru} для ${facts.row}: ответа на создание этого платежа магазин не получил, а по идентификатору записи сервис оплату не подтверждает. Введите идентификатор транзакции на странице этого платежа.`,
          }
        }
        case "second_payment":
          return secondPayment(facts)
        case "foreign_payments":
          return foreignPayments(facts)
      }
    },
  }),

  /** Medusa, or our row, holds a payment that the service does not have. */
  payment_not_there: entry<NotThereFacts>({
    cause: (facts) =>
      "payment" in facts ? causeOfPayment(facts.payment) : causeOfComparison(facts.row),
    opensAgain: "when_other",
    actions: ["retry", "handle"],
    closes: COMPARED_AGAIN,
    text: (facts) => {
      switch (facts.found) {
        case "listed_otherwise": {
          const [seen, ours, listed] = [money(facts.seen), nameOf(facts), stated(facts.listed)]
          const single = singleReadText(facts.alone)
          return {
            en: `${seen.en} were seen paid for transaction ${ours}. The service's list now has ${listed.en}, and a separate query for it returns ${single.en}.`,
            ru: `Раньше сервис подтверждал оплату ${seen.ru} по транзакции ${ours}. Теперь в его списке — ${listed.ru}, а в ответе на отдельный запрос — ${single.ru}.`,
          }
        }
        case "not_listed":
          return notListed(facts)
        case "held_in_medusa": {
          const [held, ours] = [heldInWords(facts), nameOf(facts)]
          const { status } = facts
          return {
            en: `${held.en} for transaction ${ours}, but the service ${status === null ? "does not know it" : `calls it "${status}"`}.`,
            ru: `${held.ru} по транзакции ${ours}, но ${status === null ? "сервису он неизвестен" : `у сервиса он в статусе «${status}»`}.`,
          }
        }
        case "known_to_nobody": {
          const held = heldInWords(facts)
          return {
            en: `${held.en}, which neither this plugin nor the service knows.`,
            ru: `${held.ru}, но ни этому модулю, ни сервису он не известен.`,
          }
        }
      }
    },
  }),

  /** The service's list, its answer for the single transaction and Medusa do not agree. */
  records_differ: entry<RecordsDifferFacts>({
    cause: (facts) =>
      "payment" in facts ? causeOfPayment(facts.payment) : causeOfComparison(facts.row),
    opensAgain: "when_other",
    actions: ["retry", "handle"],
    closes: COMPARED_AGAIN,
    text: (facts) => {
      switch (facts.found) {
        case "listed_otherwise": {
          const [ours, listed, single] = [
            nameOf(facts),
            stated(facts.listed),
            singleReadText(facts.alone),
          ]
          return {
            en: `The service's list has transaction ${ours} with ${listed.en}; a separate query for it returns ${single.en}.`,
            ru: `В списке сервиса транзакция ${ours} — это ${listed.ru}, а в ответе на отдельный запрос — ${single.ru}.`,
          }
        }
        case "not_listed":
          return notListed(facts)
        case "second_payment":
          return secondPayment(facts)
        default:
          return heldOtherwise(facts)
      }
    },
  }),
}

function heldOtherwise(facts: Extract<RecordsDifferFacts, HeldPayment>): Text {
  const held = heldInWords(facts)
  switch (facts.found) {
    case "never_opened": {
      const why = facts.reason && refusalText(facts.reason)
      return why
        ? {
            en: `${held.en}, which this plugin never opened and which cannot be read at the service (${why.en}).`,
            ru: `${held.ru}, но этот модуль его не создавал, и проверить его у сервиса не удаётся (${why.ru}).`,
          }
        : {
            en: `${held.en}, which this plugin never opened. The service has it paid.`,
            ru: `${held.ru}, но этот модуль его не создавал. У сервиса он оплачен.`,
          }
    }
    case "other_sum": {
      const [ours, expected] = [nameOf(facts), money(facts.expected)]
      return {
        en: `${held.en}; transaction ${ours} is for ${expected.en}.`,
        ru: `${held.ru}, а транзакция ${ours} — на ${expected.ru}.`,
      }
    }
    case "captured_twice": {
      const ours = nameOf(facts)
      return {
        en: `${held.en} and has captured transaction ${ours} more than once.`,
        ru: `${held.ru}, причём деньги по транзакции ${ours} списаны более одного раза.`,
      }
    }
    case "unreadable": {
      const [ours, why] = [nameOf(facts), refusalText(facts.reason)]
      return {
        en: `${held.en} for transaction ${ours}, which cannot be read at the service (${why.en}).`,
        ru: `${held.ru} по транзакции ${ours}, но проверить его у сервиса не удаётся (${why.ru}).`,
      }
    }
  }
}

function notListed(facts: NotListed & { seen: Sum }): Text {
  const [seen, ours] = [money(facts.seen), nameOf(facts)]
  const { en, ru } = onlySingleReadText(facts.alone)
  return {
    en: `${seen.en} were seen paid for transaction ${ours}. The service's list does not have it, and on a separate query ${en}.`,
    ru: `Раньше сервис подтверждал оплату ${seen.ru} по транзакции ${ours}. Теперь её нет в его списке, а ${ru}.`,
  }
}

function onlySingleReadText(single: SingleReadAnswer): Text {
  switch (single.answer) {
    case "known":
      return {
        en: `the service calls it "${single.status}"`,
        ru: `в ответе на отдельный запрос — статус «${single.status}»`,
      }
    case "unknown":
      return {
        en: "the service does not know it",
        ru: "на отдельный запрос он отвечает, что её не знает",
      }
    case "unreadable": {
      const why = refusalText(single.reason)
      return {
        en: `the service gives no answer that can be read (${why.en})`,
        ru: `ответ на отдельный запрос прочитать не удаётся (${why.ru})`,
      }
    }
  }
}

function singleReadText(single: SingleReadAnswer): Text {
  switch (single.answer) {
    case "known":
      return stated(single)
    case "unknown":
      return { en: "nothing", ru: "сведений о ней нет" }
    case "unreadable": {
      const why = refusalText(single.reason)
      return {
        en: `nothing that can be read (${why.en})`,
        ru: `ничего, что удалось бы прочитать (${why.ru})`,
      }
    }
  }
}

function secondPayment(facts: SecondPayment): Text {
  const [paid, ours] = [recordInWords(facts), nameOf(facts)]
  return {
    en: `The service lists a second ${paid.en} for transaction ${ours}.`,
    ru: `В списке сервиса есть ещё одна ${paid.ru} по транзакции ${ours}.`,
  }
}

function foreignPayments(facts: Extract<NotHereFacts, { found: "foreign_payments" }>): Text {
  const { merchantId, count } = facts
  const payments = counted(count, ["payment", "payments"], ["оплата", "оплаты", "оплат"])
  const sums = facts.sums.map(money)
  const [from, to] = [day(facts.from), day(facts.to)]
  return {
    en:
      `The service lists ${payments.en} of ${sums.map(({ en }) => en).join(", ")} for merchant ${merchantId} from ` +
      `${from.en} to ${to.en} that ${count === 1 ? "belongs" : "belong"} to no payment of this store. If other ` +
      "software or another shop takes payments for this merchant, mark this as handled; it does not come up again then.",
    ru:
      `В списке сервиса для мерчанта ${merchantId} за период с ${from.ru} по ${to.ru} есть ${payments.ru} на ` +
      `${sums.map(({ ru }) => ru).join(", ")}, но в этом магазине таких платежей нет. Если оплату для этого ` +
      "мерчанта принимает и другая программа или другой магазин, отметьте проблему решённой: больше она не появится.",
  }
}

function recordInWords({ record, listed }: PaidRecord): Text {
  const sum = money(listed)
  return {
    en: `payment of ${sum.en} (record ${record}, "${listed.status}")`,
    ru: `оплата ${sum.ru} (запись ${record}, «${listed.status}»)`,
  }
}

function nameOf({ row, transaction }: Ours): string {
  return transaction ? `${transaction} (${row})` : row
}

function heldInWords({ payment, held }: HeldPayment): Text {
  const sum = money(held)
  return {
    en: `Medusa holds payment ${payment} of ${sum.en}`,
    ru: `В Medusa числится платёж ${payment} на ${sum.ru}`,
  }
}

function stated({ status, ...sum }: StatedSum): Text {
  const { en, ru } = money(sum)
  return { en: `${en} as "${status}"`, ru: `${ru} в статусе «${status}»` }
}
