import type { Exchange } from "./exchange"

export type Language = "en" | "ru"

const english = {
  testMode: "Test payment. No money moves.",
  viaSbp: "SBP, instant bank transfer",
  viaCrypto: "Crypto, USDT",
  viaOther: "Other method",
  scan: "Scan with your bank's app, or confirm on this device.",
  yourBank: "Your bank",
  confirmTransfer: "Confirm the transfer to",
  sendExactly: "Send exactly",
  rate: "Rate",
  timeLeft: "Time left",
  timeUp: "Time is up",
  pay: "Pay",
  decline: "Decline",
  letExpire: "Let it expire",
  paid: "Payment received",
  canceled: "Payment declined",
  expired: "The time to pay has run out",
  reversed: "Payment reversed",
  other: "Payment has another status",
  pending: "Waiting for payment",
  backToShop: "Back to the shop",
  notFound: "Payment not found",
  notFoundHint: "Check the address, or go back to the shop and start again.",
  otherLanguage: "Русский",
  // The outcomes that a tester chooses.
  outcomes: "Something goes wrong",
  less: "Pay less",
  more: "Pay more",
  payLate: "Pay late",
  payTwice: "Pay twice",
  currency: "Pay in dollars",
  reference: "Pay with another reference",
  reverse: "Take the money back",
  status: "Status",
  // Developer page.
  simulator: "Payment Service simulator",
  lead: "A stand-in for the service: break whatever you like, nothing is real.",
  transactions: "Transactions",
  noTransactions: "None yet. Choose SBP or crypto at the checkout of your shop.",
  callbackAgain: "Send callback",
  breakNext: "Break the next request",
  operation: "Request",
  failure: "What happens",
  times: "Times",
  delay: "Delay, ms",
  httpStatus: "HTTP status",
  arm: "Set",
  armed: "Waiting to happen",
  clear: "Clear",
  callbacks: "Callbacks",
  callbackAddress: "Address",
  none: "none",
  normal: "One each",
  twice: "Twice each",
  dropped: "None",
  late: "Ten seconds late",
  reordered: "In reverse order",
  unreadable: "Send one without an id",
  requests: "Requests",
  noAnswer: "no answer",
  baseAddress: "Base address",
  merchant: "Merchant",
  openPayer: "Payer page",
  behaviours: "What the service's specification shows of all this",
  invented: "Invented here: the real service may differ",
  shown: "As the specification shows",
  export: "Export",
  subscriptions: "Subscriptions",
  payouts: "Cards and payouts",
  answers: "Answers in general",
}

const russian: typeof english = {
  testMode: "Тестовый платёж. Деньги не списываются.",
  viaSbp: "СБП, быстрый перевод",
  viaCrypto: "Криптовалюта, USDT",
  viaOther: "Другой способ",
  scan: "Отсканируйте код в приложении банка или подтвердите на этом устройстве.",
  yourBank: "Ваш банк",
  confirmTransfer: "Подтвердите перевод:",
  sendExactly: "Отправьте ровно",
  rate: "Курс",
  timeLeft: "Осталось",
  timeUp: "Время вышло",
  pay: "Оплатить",
  decline: "Отказаться",
  letExpire: "Просрочить",
  paid: "Платёж получен",
  canceled: "Платёж отклонён",
  expired: "Время оплаты истекло",
  reversed: "Платёж отозван",
  other: "У платежа другой статус",
  pending: "Ожидает оплаты",
  backToShop: "Вернуться в магазин",
  notFound: "Платёж не найден",
  notFoundHint: "Проверьте адрес или вернитесь в магазин и начните заново.",
  otherLanguage: "English",
  outcomes: "Что-то идёт не так",
  less: "Оплатить меньше",
  more: "Оплатить больше",
  payLate: "Оплатить с опозданием",
  payTwice: "Оплатить дважды",
  currency: "Оплатить в долларах",
  reference: "Оплатить с чужой пометкой",
  reverse: "Забрать деньги назад",
  status: "Статус",
  simulator: "Симулятор Payment Service",
  lead: "Замена сервиса: ломайте что угодно, всё ненастоящее.",
  transactions: "Транзакции",
  noTransactions: "Пока нет. Выберите СБП или криптовалюту при оформлении заказа.",
  callbackAgain: "Послать callback",
  breakNext: "Сломать следующий запрос",
  operation: "Запрос",
  failure: "Что случится",
  times: "Сколько раз",
  delay: "Задержка, мс",
  httpStatus: "HTTP-статус",
  arm: "Задать",
  armed: "Ждут своего запроса",
  clear: "Сбросить",
  callbacks: "Callback-и",
  callbackAddress: "Адрес",
  none: "нет",
  normal: "По одному",
  twice: "По два",
  dropped: "Не слать",
  late: "На десять секунд позже",
  reordered: "В обратном порядке",
  unreadable: "Послать один без id",
  requests: "Запросы",
  noAnswer: "нет ответа",
  baseAddress: "Адрес сервиса",
  merchant: "Мерчант",
  openPayer: "Страница плательщика",
  behaviours: "Что из этого есть в спецификации сервиса",
  invented: "Придумано здесь: настоящий сервис может отличаться",
  shown: "Как в спецификации",
  export: "Экспорт",
  subscriptions: "Подписки",
  payouts: "Карты и выплаты",
  answers: "Ответы вообще",
}

export type Wording = typeof english

/** The words of the pages in one language. */
export function wording(language: Language): Wording {
  return language === "ru" ? russian : english
}

/** `?lang=` decides, then Accept-Language, then English. */
export function languageOf(exchange: Exchange): Language {
  const asked = exchange.query.get("lang")
  if (asked === "ru" || asked === "en") return asked
  const preferences = (exchange.headers["accept-language"] ?? "")
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.trim().toLowerCase().split(";")
      const quality = parameters.find((parameter) => parameter.trim().startsWith("q="))
      return { tag, quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .sort((one, other) => other.quality - one.quality)
  for (const { tag } of preferences) {
    if (/^ru(-|$)/.test(tag)) return "ru"
    if (/^en(-|$)/.test(tag)) return "en"
  }
  return "en"
}

/** An amount in the style of a language; an unknown currency is written after it. */
export function money(amount: number, currency: string, language: Language): string {
  try {
    return new Intl.NumberFormat(language, {
      style: "currency",
      currency,
      currencyDisplay: "narrowSymbol",
    }).format(amount)
  } catch {
    return `${new Intl.NumberFormat(language).format(amount)} ${currency}`
  }
}
