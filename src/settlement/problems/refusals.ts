import type { Text } from "./words"

/** A refusal as a code. `detail` is the text of Medusa, of the service or of `decide`, without secrets. */
export interface Refusal {
  code: RefusalCode
  detail: string
}

interface KnownRefusal {
  text: Text
  /** Core's errors have no codes, so they are recognised by their words. */
  words?: RegExp
}

const REFUSALS = {
  // Medusa's
  out_of_stock: {
    text: { en: "there is not enough stock", ru: "товара не хватает на складе" },
    words: /does not have the required inventory|Not enough stock|is not stocked at location/,
  },
  cart_locked: {
    text: { en: "something else keeps the cart locked", ru: "корзина занята другим процессом" },
    // The words of Medusa's locking providers: in memory, Postgres and Redis.
    words: /acquir(e|ing) lock|already locked/,
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
  // The service's, as its client names them
  invalid: {
    text: { en: "the service refuses the request", ru: "сервис отклоняет запрос" },
  },
  unauthorized: {
    text: {
      en: "the service refuses the credentials",
      ru: "сервис не принимает учётные данные",
    },
  },
  not_found: {
    text: { en: "the service does not know it", ru: "сервису об этом ничего не известно" },
  },
  file_refused: {
    text: { en: "the service's file cannot be fetched", ru: "файл сервиса не удаётся получить" },
  },
  rate_limited: {
    text: {
      en: "the service takes no more requests for now",
      ru: "сервис временно не принимает запросы: их слишком много",
    },
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
  // The plugin's
  no_account: {
    text: {
      en: "no account leads to where it was opened",
      ru: "в настройках нет учётной записи, через которую создана операция",
    },
  },
} satisfies Record<string, KnownRefusal>

/** `other` is every refusal that has no code here. */
export type RefusalCode = keyof typeof REFUSALS | "other"

/** The refusal that a message of Medusa, or of the shop's own code within it, stands for. */
export function medusaRefusal(detail: string): Refusal {
  for (const [code, { words }] of Object.entries<KnownRefusal>(REFUSALS)) {
    if (words?.test(detail)) return { code: code as keyof typeof REFUSALS, detail }
  }
  return { code: "other", detail }
}

/** A refusal in words; one without a code is shown as it came. */
export function refusalText({ code, detail }: Refusal): Text {
  const known = REFUSALS as Partial<Record<string, KnownRefusal>>
  return known[code]?.text ?? { en: detail, ru: detail }
}
