import { counted, NOTHING, type Text } from "../../texts"

/**
 * The facts that the text of a reason needs besides its code. `detail` is the service's text, without secrets and card numbers.
 */
export interface ReasonFacts {
  detail?: string
  http_status?: number | null
  /** Seconds that this server's clock is ahead of the service's; negative when it is behind. */
  clock_ahead?: number
  withdrawal_record_id?: string
  status?: string
}

/** Why a payout was rejected or is unknown, as it is shown. */
export interface PayoutReason extends Text {
  code: PayoutReasonCode
}

const said = ({ detail }: ReasonFacts): Text =>
  detail ? { en: ` It said: ${detail}`, ru: ` Ответ сервиса: ${detail}` } : NOTHING
const join = (...texts: Text[]): Text => ({
  en: texts.map(({ en }) => en).join(""),
  ru: texts.map(({ ru }) => ru).join(""),
})

const PERHAPS: Text = { en: " Perhaps", ru: " Возможно," }
/**
 * The specification does not show which statuses a refused signature and a disabled feature have, so the text names both causes.
 */
const ACCESS: Text = {
  en: " the signing secret is wrong or was reset (the payout section of the account area shows a new one once), or payouts are not enabled for this merchant (ask the account manager at the service).",
  ru: " секрет подписи неверен или был сброшен (новый один раз показывают в разделе выплат личного кабинета) либо выплаты для этого магазина не включены (обратитесь к менеджеру сервиса).",
}
const WRONG_CLOCK: Text = {
  en: " This server's clock is wrong.",
  ru: " Часы этого сервера идут неверно.",
}
const WRONG_ADDRESS: Text = {
  en: " The option baseUrl may also lead to another place.",
  ru: " Настройка baseUrl также может вести не туда.",
}

const LOOK: Text = {
  en: " Look for it in the service's account area before you do anything: the money may have gone. Then send it again (the service recognises the same payout), or mark it.",
  ru: " Прежде чем что-либо делать, найдите её в личном кабинете сервиса: деньги могли уйти. Затем отправьте повторно (сервис узнает ту же выплату) или отметьте результат.",
}

/** Makes the text of a reason that leaves open whether money went. */
const open = (en: string, ru: string) => (): Text => join({ en, ru }, LOOK)

const REASONS = {
  // Rejected: no money went.
  secret_refused: () => ({
    en: "The service refused the request: the signing secret is probably wrong or was reset. Copy the new one from the payout section of its account area into the options. If it is right, payouts are probably not enabled for this merchant: ask the account manager at the service. Nothing was paid; make the payout anew then.",
    ru: "Сервис отклонил запрос: вероятно, секрет подписи неверен или был сброшен. Возьмите новый в разделе выплат личного кабинета и впишите в настройки. Если секрет верен, вероятно, выплаты для этого магазина не включены: обратитесь к менеджеру сервиса. Деньги не ушли; после этого создайте выплату заново.",
  }),
  clock_off: (facts) => clockOff(facts),
  feature_off: (facts) =>
    join(
      {
        en: "The service refused it: payouts are probably not enabled for this merchant. Ask the account manager at the service to enable them. Nothing was paid.",
        ru: "Сервис отказал: вероятно, выплаты для этого магазина не включены. Попросите менеджера сервиса включить их. Деньги не ушли.",
      },
      said(facts)
    ),
  balance_too_low: (facts) =>
    join(
      {
        en: "The service refused it and speaks of the balance: the USDT balance is probably too low. Top it up, or pay out less. Nothing was paid.",
        ru: "Сервис отказал и говорит о балансе: вероятно, USDT не хватает. Пополните баланс или выплатите меньше. Деньги не ушли.",
      },
      said(facts)
    ),
  amount_refused: (facts) =>
    join(
      {
        en: "The service refused the amount. It pays out 1,000 to 87,500 whole rubles at a time. Nothing was paid.",
        ru: "Сервис не принял сумму. За один раз выплачивается от 1 000 до 87 500 целых рублей. Деньги не ушли.",
      },
      said(facts)
    ),
  card_refused: (facts) =>
    join(
      {
        en: "The service refused the card: it is not active or not known any more, or the number is wrong. Choose another card. Nothing was paid.",
        ru: "Сервис не принял карту: она не активна, больше не известна сервису или номер неверен. Выберите другую карту. Деньги не ушли.",
      },
      said(facts)
    ),
  refused: (facts) =>
    join(
      {
        en: "The service did not accept the payout. Nothing was paid. Check the card and the amount. If they are right, perhaps",
        ru: "Сервис не принял выплату. Деньги не ушли. Проверьте карту и сумму. Если они верны, возможно,",
      },
      ACCESS,
      facts.http_status === 404 ? WRONG_ADDRESS : NOTHING,
      said(facts)
    ),
  // Unknown: money may have gone.
  no_answer: open("The service did not answer in time.", "Сервис не ответил вовремя."),
  not_reached: open(
    "The service could not be reached, so most likely it has not heard of this payout.",
    "Соединиться с сервисом не удалось, скорее всего он об этой выплате не знает."
  ),
  connection_broken: open(
    "The connection broke off before the service had answered.",
    "Соединение оборвалось до ответа сервиса."
  ),
  service_down: open(
    "The service answered with an error of its own.",
    "Сервис ответил собственной ошибкой."
  ),
  too_many: open(
    "The service asks for fewer requests, which does not say what became of this one.",
    "Сервис просит обращаться реже; что стало с этим запросом, из ответа не видно."
  ),
  conflict: (facts) =>
    join(
      {
        en: "The service knows a request with this key already, which does not say what became of it.",
        ru: "Сервису уже известен запрос с этим ключом; что с ним стало, из ответа не видно.",
      },
      said(facts),
      LOOK
    ),
  refused_again: (facts) =>
    join(
      {
        en: "The service refused this repetition, which says nothing about the first request.",
        ru: "Сервис отклонил повторную отправку; о первом запросе это ничего не говорит.",
      },
      facts.clock_ahead === undefined
        ? join(PERHAPS, ACCESS)
        : join(WRONG_CLOCK, clockRemark(facts.clock_ahead)),
      said(facts),
      LOOK
    ),
  unreadable: open(
    "The service's answer cannot be understood.",
    "Ответ сервиса не удаётся разобрать."
  ),
  other_status: ({ status = "" }) =>
    join(
      {
        en: `The service answered with the status ${status} instead of CREATED.`,
        ru: `Сервис ответил статусом ${status} вместо CREATED.`,
      },
      LOOK
    ),
  id_taken: ({ withdrawal_record_id: id = "" }) =>
    join(
      {
        en: `The service answered with the payout ${id}, which another payout of this store has already.`,
        ru: `Сервис назвал выплату ${id}, которая уже относится к другой выплате этого магазина.`,
      },
      LOOK
    ),
  unexpected: open(
    "Its answer did not come as the service's interface shows it.",
    "Ответ пришёл не в том виде, который описан в интерфейсе сервиса."
  ),
  process_lost: open(
    "The server that was sending it ended before it had an answer.",
    "Сервер, который её отправлял, завершился до получения ответа."
  ),
} satisfies Record<string, (facts: ReasonFacts) => Text>

export type PayoutReasonCode = keyof typeof REASONS

/** A reason as text that says what to do. */
export function payoutReason(code: string, facts: ReasonFacts): PayoutReason {
  const known = Object.hasOwn(REASONS, code) ? (code as PayoutReasonCode) : "unexpected"
  return { code: known, ...REASONS[known](facts) }
}

function clockOff({ clock_ahead: ahead = 0 }: ReasonFacts): Text {
  return join(
    {
      en: "The service refused the signature, because this server's clock is wrong.",
      ru: "Сервис не принял подпись, потому что часы этого сервера идут неверно.",
    },
    clockRemark(ahead),
    { en: " Nothing was paid.", ru: " Деньги не ушли." }
  )
}

/** A text on how wrong the clock is, and what to do about it. */
export function clockRemark(aheadSeconds: number): Text {
  const off = counted(
    Math.round(Math.abs(aheadSeconds)),
    ["second", "seconds"],
    ["секунду", "секунды", "секунд"]
  )
  const [en, ru] = aheadSeconds > 0 ? ["ahead of", "спешат на"] : ["behind", "отстают на"]
  return {
    en: ` It is ${off.en} ${en} the service's, which accepts 300: set the clock.`,
    ru: ` Они ${ru} ${off.ru}, допускается 300: установите точное время.`,
  }
}
