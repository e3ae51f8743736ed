/** Parts of the service, in display order. */
export const AREAS = [
  "payments",
  "export",
  "subscriptions",
  "payouts",
  "callbacks",
  "answers",
] as const
export type Area = (typeof AREAS)[number]

/** One behaviour of the simulator, and whether the specification shows it. */
export interface Behaviour<Id = string> extends Sentence {
  id: Id
  area: Area
  /** False for an invention, because the specification leaves it open. The real service may differ. */
  isShown: boolean
}

interface Sentence {
  en: string
  ru: string
  /** The settings that change it: flags of the command, and settings of `PUT /__simulator/settings`. */
  changedBy?: readonly string[]
}

function listed<Id extends string>(
  kind: "shown" | "invented",
  area: Area,
  sentences: Record<Id, Sentence>
): Behaviour<Id>[] {
  const entries = Object.entries(sentences) as [Id, Sentence][]
  return entries.map(([id, said]) => ({ id, area, isShown: kind === "shown", ...said }))
}

/**
 * All behaviours of the simulator that a client can see. `--help`, the developer page, the control route `behaviours` and the
 * test that shows each of them are made from this list.
 */
export const BEHAVIOURS = [
  ...listed("shown", "payments", {
    creation: {
      en: "A creation needs every field of the table but metadata, and no id (400); the reply has status PENDING.",
      ru: "При создании нужны все поля таблицы, кроме metadata, и без id (400); в ответе статус PENDING.",
    },
    details: {
      en: "Details have the fields of the table, mechantId and comission spelled so; an unknown id is 404.",
      ru: "В деталях поля таблицы, mechantId и comission пишутся именно так; неизвестный id: 404.",
    },
    merchant_key: {
      en: "X-MerchantId and X-Secret are needed everywhere but in the payout area; a creation without is 401.",
      ru: "X-MerchantId и X-Secret нужны везде, кроме выплат; создание без них: 401.",
      changedBy: ["--merchant", "--secret"],
    },
    payer_return: {
      en: "The payer goes to return after a payment and to failedUrl after a failed one.",
      ru: "После оплаты плательщик попадает на return, после неудачи на failedUrl.",
    },
  }),
  ...listed("invented", "payments", {
    methods: {
      en: "Method 13 is named CRYPTO, and codes other than 2 and 13 are refused (400).",
      ru: "Метод 13 называется CRYPTO, другие коды, кроме 2 и 13, отклоняются (400).",
    },
    currencies: {
      en: "Currencies other than RUB are refused (400).",
      ru: "Другие валюты, кроме RUB, отклоняются (400).",
      changedBy: ["currencies"],
    },
    amounts: {
      en: "An amount is above 0 and has two decimals at most (400).",
      ru: "Сумма больше 0 и имеет не больше двух знаков после запятой (400).",
    },
    strict_fields: {
      en: "Unknown fields, return addresses other than http and https, and a clientIp that is none are refused (400).",
      ru: "Неизвестные поля, адреса возврата не http и не https и неверный clientIp отклоняются (400).",
    },
    user_id: {
      en: "A creation without metadata.userId is taken; it is refused (400) only when told to.",
      ru: "Создание без metadata.userId принимается; отклоняется (400), только если так задано.",
      changedBy: ["--require-user-id", "requireUserId"],
    },
    repeated_creation: {
      en: "The same creation sent twice makes two transactions.",
      ru: "Одно и то же создание, посланное дважды, даёт две транзакции.",
    },
    status_names: {
      en: "The names CONFIRMED, EXPIRED and CHARGEBACKED; any status can follow any other, so payments come late, too.",
      ru: "Названия CONFIRMED, EXPIRED и CHARGEBACKED; за любым статусом может быть любой, в том числе оплата с опозданием.",
      changedBy: ["--status-paid", "--status-expired", "--status-reversed"],
    },
    expiry: {
      en: "There are 15 minutes to pay; then what is still pending becomes EXPIRED by itself, and expiresIn stays 00:00:00.",
      ru: "На оплату 15 минут; затем то, что ещё ожидает, само становится EXPIRED, а expiresIn остаётся 00:00:00.",
      changedBy: ["--expires-in", "expiresInSeconds", "autoExpire"],
    },
    paid_amount: {
      en: "When another amount or currency is paid, details give what was paid, not what was asked for.",
      ru: "Если оплачена другая сумма или валюта, детали дают оплаченное, а не запрошенное.",
    },
    payer_page: {
      en: "redirect leads to a page of the simulator with three buttons: pay, decline, let expire; the last counts as failed.",
      ru: "redirect ведёт на страницу симулятора с тремя кнопками: оплатить, отказаться, просрочить; последнее считается неудачей.",
      changedBy: ["--public-url"],
    },
    qr: {
      en: "qr is the address of redirect; the setting makes it a text.",
      ru: "qr совпадает с адресом redirect; настройка делает его текстом.",
      changedBy: ["qr"],
    },
    fillers: {
      en: 'paymentDetails of a creation reads "1199.99 RUB", payformSuccessUrl is return, externalId is random.',
      ru: 'paymentDetails при создании имеет вид "1199.99 RUB", payformSuccessUrl равен return, externalId случаен.',
    },
    rates: {
      en: "A USDT is 92.5 rubles, comission is 3 % with comissionType 1, sums in USDT have six decimals.",
      ru: "USDT стоит 92,5 рубля, comission 3 % с comissionType 1, суммы в USDT с шестью знаками.",
      changedBy: ["--usdt-rate", "usdtRate"],
    },
  }),
  ...listed("shown", "export", {
    export_records: {
      en: "An export is an array of records as in the table, or a link to a file with it.",
      ru: "Экспорт: массив записей как в таблице или ссылка на файл с ним.",
      changedBy: ["--export-as", "exportAs"],
    },
  }),
  ...listed("invented", "export", {
    export_codes: {
      en: "Codes of statuses are 1 PENDING, 2 CONFIRMED, 3 CANCELED, 4 EXPIRED, 5 CHARGEBACKED; unknown codes are refused (400).",
      ru: "Коды статусов: 1 PENDING, 2 CONFIRMED, 3 CANCELED, 4 EXPIRED, 5 CHARGEBACKED; неизвестные отклоняются (400).",
    },
    export_filters: {
      en: "An empty list of codes means all; from and to include their own moment and are compared with the time of creation.",
      ru: "Пустой список кодов значит все; from и to включают свой момент и сравниваются со временем создания.",
    },
    export_order: {
      en: "Records come in order of creation, all at once, with createdAt in the time zone that was asked for.",
      ru: "Записи идут в порядке создания, все сразу, createdAt в запрошенном часовом поясе.",
    },
    export_accept: {
      en: "An accept header that does not allow text/plain is answered with 406.",
      ru: "На заголовок accept, не допускающий text/plain, ответ 406.",
    },
    export_file: {
      en: "A link is plain text; its file can be fetched once, without credentials, and the last 20 are kept.",
      ru: "Ссылка: простой текст; файл можно получить один раз, без ключей, хранятся последние 20.",
      changedBy: ["--export-as"],
    },
    record_ids: {
      en: "recordId is the transaction's id; the setting makes it one of its own.",
      ru: "recordId совпадает с id транзакции; настройка даёт записи свой id.",
      changedBy: ["recordIds"],
    },
  }),
  ...listed("shown", "subscriptions", {
    subscription_list: {
      en: "The list has items, total, page and size; status and intervalUnit are integers, times and e-mail may be null.",
      ru: "В списке items, total, page и size; status и intervalUnit числа, время и почта могут быть null.",
    },
    subscription_details: {
      en: "A single one has the fields of the table, with names for status and intervalUnit; an unknown id is 404.",
      ru: "У одной подписки поля таблицы, status и intervalUnit словами; неизвестный id: 404.",
    },
  }),
  ...listed("invented", "subscriptions", {
    subscription_codes: {
      en: "Codes are 1 Active, 2 Paused, 3 PastDue, 4 Canceled, and 1 Day, 2 Week, 3 Month, 4 Year; only Active and Month are names of the specification.",
      ru: "Коды: 1 Active, 2 Paused, 3 PastDue, 4 Canceled и 1 Day, 2 Week, 3 Month, 4 Year; из спецификации только имена Active и Month.",
    },
    subscription_pages: {
      en: "Pages count from 1 and have 20 items, 100 at most; another page, size or parameter is refused (400), an empty page is 200.",
      ru: "Страницы считаются с 1, по 20 записей, не больше 100; другие page, size и параметры отклоняются (400), пустая страница: 200.",
    },
    subscription_filters: {
      en: "from and to are compared with the time of creation; the newest come first.",
      ru: "from и to сравниваются со временем создания; новые идут первыми.",
    },
    subscription_nulls: {
      en: "A single subscription leaves out what has no value yet.",
      ru: "В одной подписке нет полей без значения.",
    },
    subscription_metrics: {
      en: "chargesCount and chargesTotal count failed charges, too; totalAmount is the amount times the successful ones.",
      ru: "chargesCount и chargesTotal считают и неудачные списания; totalAmount: сумма, умноженная на число удачных.",
    },
    subscription_seeds: {
      en: "Six subscriptions are there from the start, and nothing is ever charged by itself.",
      ru: "Шесть подписок есть с самого начала, и само ничего не списывается.",
    },
  }),
  ...listed("shown", "payouts", {
    signature: {
      en: "Requests are signed as shown, with sig in padded Base64 and ts within 300 seconds of the simulator's time.",
      ru: "Запросы подписаны как показано, sig в Base64 с дополнением, ts в пределах 300 секунд от времени симулятора.",
      changedBy: ["--merchant", "--signing", "--scheme"],
    },
    secret_reset: {
      en: "A signing secret that was replaced is refused at once.",
      ru: "Заменённый секрет подписи сразу отклоняется.",
      changedBy: ["signingSecret"],
    },
    cards: {
      en: "Cards have the fields of the table; only ACTIVE ones are listed unless onlyActive is false.",
      ru: "У карт поля таблицы; без onlyActive=false видны только ACTIVE.",
    },
    payout: {
      en: "A payout has Idempotency-Key, exactly one of cardId and cardNumber (16 digits), 1000 to 87500 whole rubles, CARD, RUB and no extra whitespace; it is CREATED.",
      ru: "У выплаты Idempotency-Key, ровно одно из cardId и cardNumber (16 цифр), от 1000 до 87500 целых рублей, CARD, RUB и нет лишних пробелов; статус CREATED.",
    },
  }),
  ...listed("invented", "payouts", {
    signed_query: {
      en: "The query is no part of the signed path, and kid, ts and sig are taken in this order only.",
      ru: "Параметры запроса не входят в подписанный путь, kid, ts и sig принимаются только в этом порядке.",
    },
    card_seeds: {
      en: "Four cards are there from the start, masked with twelve asterisks; onlyActive is true or false (400).",
      ru: "Четыре карты есть с самого начала, скрыты двенадцатью звёздочками; onlyActive: true или false (400).",
    },
    payout_refusals: {
      en: "What is not as shown, a card that is unknown or not ACTIVE, and a balance that is too low are refused with 400.",
      ru: "Всё, что не как показано, неизвестная или не ACTIVE карта и нехватка баланса отклоняются с 400.",
    },
    payouts_disabled: {
      en: "Payouts are enabled; without the feature, the payout area answers 403.",
      ru: "Выплаты включены; без этой функции ответ на выплаты и карты 403.",
      changedBy: ["payoutsEnabled"],
    },
    repeated_key: {
      en: "A repeated key is answered with the same payout, with another body 409; or always 409.",
      ru: "На повторный ключ ответ с той же выплатой, с другим телом 409; или всегда 409.",
      changedBy: ["--repeated-key", "repeatedKey"],
    },
    payout_money: {
      en: "There are 10,000 USDT to pay from, debited at the same rate, without a fee; a payout stays CREATED for ever.",
      ru: "Для выплат есть 10 000 USDT, списание по тому же курсу, без комиссии; выплата навсегда остаётся CREATED.",
      changedBy: ["--usdt-rate", "usdtBalance"],
    },
  }),
  ...listed("invented", "callbacks", {
    callback_body: {
      en: "A callback is one JSON object with transactionId, merchantId, status, amount, currency, payload, paymentMethod; or one of two other shapes.",
      ru: "Callback: один объект JSON с transactionId, merchantId, status, amount, currency, payload, paymentMethod; или одна из двух других форм.",
      changedBy: ["--callback-body"],
    },
    callback_occasions: {
      en: "One is sent for each change of a transaction's status, expiry included, and none for its creation.",
      ru: "Посылается при каждой смене статуса транзакции, включая просрочку, и не посылается при создании.",
    },
    callback_delivery: {
      en: "It is a POST to one address, without any signature, answered within 5 seconds; redirects are not followed and nothing is repeated.",
      ru: "Это POST на один адрес, без подписи, ответ ждут 5 секунд; перенаправления не выполняются, повторов нет.",
      changedBy: ["--callback"],
    },
    subscription_callback: {
      en: "Those about subscriptions have subscriptionId and status, and are sent only when a developer asks for one.",
      ru: "О подписках: subscriptionId и status, и только по просьбе разработчика.",
    },
  }),
  ...listed("invented", "answers", {
    error_body: {
      en: 'An error is JSON: {"error":{"code":"…","message":"…"}}.',
      ru: 'Ошибка в JSON: {"error":{"code":"…","message":"…"}}.',
    },
    unauthorized: {
      en: "Wrong credentials are 401 also where the specification lists no status: reads, export, subscriptions, payout area.",
      ru: "Неверные ключи: 401 и там, где в спецификации нет кода: чтение, экспорт, подписки, выплаты.",
    },
    unreadable_bodies: {
      en: "A body that is no JSON in UTF-8, begins with a byte order mark or is not sent as application/json is 400, one above 1 MB is 413.",
      ru: "Тело не JSON в UTF-8, с меткой порядка байтов в начале или не application/json: 400, больше 1 МБ: 413.",
    },
    other_addresses: {
      en: "Every other address or method is 404, those that the specification names without a shape included.",
      ru: "На все другие адреса и методы ответ 404, включая названные в спецификации без описания.",
    },
    limits: {
      en: "There is no limit of requests; 507 is the answer when 500,000 transactions or 100,000 payouts are held.",
      ru: "Частота запросов не ограничена; при 500 000 транзакций или 100 000 выплат ответ 507.",
    },
  }),
]

export type BehaviourId = (typeof BEHAVIOURS)[number]["id"]

/** The behaviours of one area, either shown by the specification or invented. */
export function behavioursOf(area: Area, isShown: boolean): Behaviour[] {
  return BEHAVIOURS.filter((one) => one.area === area && one.isShown === isShown)
}
