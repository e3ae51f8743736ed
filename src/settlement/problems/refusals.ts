import type { Text } from "../../texts"

/** A refusal as a code. `detail` is Medusa's or the service's message; it is empty for a refusal of the plugin itself. */
export interface Refusal {
  code: RefusalCode
  detail: string
}

interface KnownRefusal {
  text: Text
  /** Core drops the code of an error, so the error is recognised by its message. */
  words?: RegExp
}

const REFUSALS = {
  // Medusa's refusals.
  out_of_stock: {
    text: { en: "there is not enough stock", ru: "товара не хватает на складе" },
    words: /does not have the required inventory|Not enough stock|is not stocked at location/,
  },
  cart_locked: {
    text: { en: "something else keeps the cart locked", ru: "корзина занята другим процессом" },
    // Messages of Medusa's locking providers: in memory, Postgres and Redis.
    words: /acquir(e|ing) lock|already locked/,
  },
  workflow_broke: {
    text: {
      en: "Medusa could not keep the state of its own workflow",
      ru: "Medusa не смогла сохранить состояние собственного процесса",
    },
    // When its database is slow, core's engine stops a workflow in the middle, and the second message hides the first.
    words: /^Max retries \(\d+\) exceeded for saving checkpoint|^Updating Stat(e|us) from "/,
  },
  payment_canceled: {
    text: { en: "the payment was canceled in Medusa", ru: "платёж отменён в Medusa" },
    words: /^The payment: \S+ has been canceled/,
  },
  method_disabled: {
    text: {
      en: "this way to pay is not enabled in the cart's region",
      ru: "этот способ оплаты отключён в регионе корзины",
    },
    words: /not enabled in the cart's region/,
  },
  has_fulfillments: {
    text: {
      en: "its fulfillments must be canceled first",
      ru: "сначала нужно отменить его отгрузки",
    },
    words: /^All fulfillments must be canceled/,
  },
  // The service's refusals, named as in its client, with the messages of `toMedusaError`.
  invalid: {
    text: { en: "the service refuses the request", ru: "сервис отклоняет запрос" },
    words: /^The payment service did not accept this payment/,
  },
  unauthorized: {
    text: {
      en: "the service refuses the credentials",
      ru: "сервис не принимает учётные данные",
    },
    words: /^This way to pay is not available at the moment/,
  },
  not_found: {
    text: { en: "the service does not know it", ru: "сервису об этом ничего не известно" },
    words: /^The payment service does not know this payment/,
  },
  link_refused: {
    text: {
      en: "the service's file is at a host that the option export.linkHosts does not name",
      ru: "файл сервиса лежит на хосте, который не указан в настройке export.linkHosts",
    },
  },
  file_refused: {
    text: { en: "the service's file cannot be fetched", ru: "файл сервиса не удаётся получить" },
  },
  rate_limited: {
    text: {
      en: "the service takes no more requests for now",
      ru: "сервис временно не принимает запросы: их слишком много",
    },
    words: /^The payment service has too many requests at the moment/,
  },
  unavailable: {
    text: { en: "the service is out of order", ru: "сервис не работает" },
  },
  timeout: {
    text: { en: "the service does not answer in time", ru: "сервис не отвечает вовремя" },
  },
  malformed: {
    text: {
      en: "the service's answer cannot be understood",
      ru: "ответ сервиса не удаётся разобрать",
    },
  },
  records_unreadable: {
    text: {
      en: "some records of the service's list cannot be read, all others were compared",
      ru: "часть записей списка сервиса не удаётся прочитать, остальные сверены",
    },
  },
  no_answer: {
    text: { en: "the service does not answer at the moment", ru: "сервис сейчас не отвечает" },
    words: /^The payment service does not answer at the moment/,
  },
  // The plugin's own refusals.
  no_account: {
    text: {
      en: "no account leads to where it was opened",
      ru: "в настройках нет учётной записи, через которую создана транзакция",
    },
    words: /^Transaction \S+ was created for a merchant, or at an address, that is no longer/,
  },
  not_authorized: {
    text: {
      en: "the payment session was not authorized",
      ru: "платёжная сессия не подтверждена",
    },
    // Core's message, and ours.
    words: /^session:? \S+ was not authorized/i,
  },
  not_confirmed: {
    text: {
      en: "the service has not confirmed the payment",
      ru: "сервис не подтвердил оплату",
    },
    words: /^The payment service has not confirmed this payment/,
  },
  session_gone: {
    text: {
      en: "the payment session is not there any more",
      ru: "платёжной сессии больше нет",
    },
    words: /^Payment session \S+ is not there any more/,
  },
  cart_changed: {
    text: {
      en: "the cart has changed since the payment was started",
      ru: "корзина изменилась после того, как оплату начали",
    },
    words: /^The cart has changed since this payment was started/,
  },
  other_cart: {
    text: { en: "the payment belongs to another cart", ru: "оплата относится к другой корзине" },
    words: /^This payment belongs to another cart/,
  },
  taken_already: {
    text: {
      en: "the payment has been taken already, in another session of the same cart",
      ru: "оплата уже учтена в другой платёжной сессии этой корзины",
    },
    words: /^This payment has been taken already/,
  },
  paid: {
    text: { en: "the payment has been paid", ru: "транзакция уже оплачена" },
    words: /^This payment has been paid and/,
  },
  busy: {
    text: {
      en: "the payment is being looked at by another process",
      ru: "транзакцию сейчас проверяет другой процесс",
    },
    words: /^This payment is being looked at right now/,
  },
} satisfies Record<string, KnownRefusal>

/** `other` is every refusal that has no code here. */
export type RefusalCode = keyof typeof REFUSALS | "other"

/** The refusal that a message of Medusa, or of the shop's own code within it, means. */
export function medusaRefusal(detail: string): Refusal {
  for (const [code, { words }] of Object.entries<KnownRefusal>(REFUSALS)) {
    if (words?.test(detail)) return { code: code as keyof typeof REFUSALS, detail }
  }
  return { code: "other", detail }
}

/**
 * A refusal for who reads it now: in English its whole message, in Russian the meaning of its code.
 *
 * @param said the service's own words, which are in the message, too
 */
export function refusalMessages(refusal: Refusal, said?: string): Text {
  return { en: refusal.detail, ru: refusalText(refusal).ru + (said ? `: ${said}` : "") }
}

/** A refusal as text. One without a code, or with one of another version, is shown as it came. */
export function refusalText({ code, detail }: Refusal): Text {
  const known: Partial<Record<string, KnownRefusal>> = REFUSALS
  return known[code]?.text ?? { en: detail, ru: detail }
}
