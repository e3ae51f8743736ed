import { money, type Text } from "../../texts"
import { clockRemark } from "./reasons"
import { LARGEST_PAYOUT, PAYOUT_CURRENCY, SMALLEST_PAYOUT } from "./payout"

const rubles = (amount: number) => money({ amount: String(amount), currency: PAYOUT_CURRENCY })
const plain = (en: string, ru: string): Text => ({ en, ru })

const RANGE = { least: rubles(SMALLEST_PAYOUT), most: rubles(LARGEST_PAYOUT) }

/** The reasons for which a payout is refused: a code, and a text that says what to do. */
const REFUSALS = {
  payouts_off: plain(
    "Payouts are switched off in this store (option payouts.enabled). Nothing was sent.",
    "Выплаты в этом магазине отключены (настройка payouts.enabled). Ничего не отправлено."
  ),
  no_signing_secret: plain(
    "This account has no signing secret. Payouts are enabled by the service's account manager; then the payout section of the account area shows the secret once. Enter it as the option signingSecret.",
    "У этой учётной записи нет секрета подписи. Выплаты включает менеджер сервиса; после этого секрет один раз показывают в разделе выплат личного кабинета. Впишите его в настройку signingSecret."
  ),
  not_signed_in: plain(
    "Only a signed-in admin may do this, no API key.",
    "Это может сделать только вошедший администратор, но не ключ API."
  ),
  not_permitted: plain(
    "The option payouts.users does not name you, so you may look at payouts only.",
    "Вас нет в настройке payouts.users, поэтому выплаты можно только смотреть."
  ),
  account_needed: plain(
    "This store has several accounts at the service. Say with which of them to pay.",
    "У магазина несколько учётных записей в сервисе. Укажите, с какой из них платить."
  ),
  account_unknown: plain("There is no such account.", "Такой учётной записи нет."),
  account_gone: plain(
    "No account leads to the merchant and address any more with which this payout was made. Make a new one.",
    "Магазина и адреса, для которых создана эта выплата, больше нет в настройках. Создайте новую."
  ),
  problem_unknown: plain("There is no such problem.", "Такой проблемы нет."),
  problem_closed: plain(
    "This problem is closed, so nothing is to be paid back for it any more. Discard the draft.",
    "Эта проблема закрыта, возвращать по ней больше нечего. Удалите черновик."
  ),
  not_to_pay_back: plain(
    "No money is to be paid back for a problem of this kind.",
    "По проблеме этого вида деньги не возвращают."
  ),
  not_rubles: plain(
    "This payment was not made in rubles, and payouts are. Pay it back in another way.",
    "Этот платёж был не в рублях, а выплаты только в рублях. Верните деньги другим способом."
  ),
  payment_taken: plain(
    "Medusa has taken this payment in the meantime. Look at the problem again.",
    "Medusa тем временем приняла этот платёж. Посмотрите на проблему ещё раз."
  ),
  being_completed: plain(
    "An order is being placed with this payment right now. Nothing was sent. Try again in a few minutes.",
    "Прямо сейчас по этому платежу оформляется заказ. Ничего не отправлено. Повторите через несколько минут."
  ),
  taken_back: plain(
    "The service has taken this payment back itself, so nothing of it is to be paid back. Nothing was sent. Discard the draft; the problem of this payment says what is left to do.",
    "Сервис сам вернул эту оплату, поэтому возвращать ничего не нужно. Ничего не отправлено. Удалите черновик; что осталось сделать, сказано в проблеме этой операции."
  ),
  not_confirmed: plain(
    "The service does not confirm right now that this payment still stands: it may have taken the money back itself. Nothing was sent. Try again in a moment; if that does not help, look for the payment in the service's account area.",
    "Сервис сейчас не подтверждает, что эта оплата в силе: возможно, он сам вернул деньги. Ничего не отправлено. Повторите попытку через минуту; если не поможет, найдите оплату в личном кабинете сервиса."
  ),
  payment_changed: plain(
    "The service says another thing of this payment than before. Nothing was sent. Look at the payment and its problems, then send what is still to be paid back.",
    "Сервис сообщает об этой оплате не то, что раньше. Ничего не отправлено. Посмотрите оплату и её проблемы, затем отправьте то, что ещё нужно вернуть."
  ),
  payment_account_gone: plain(
    "No account leads to the merchant and address any more at which this was paid, so the service cannot be asked whether it has taken the money back itself. Nothing was sent. Add that account to the options again, or pay the money back in another way.",
    "Магазина и адреса, по которым поступила эта оплата, больше нет в настройках, и у сервиса нельзя узнать, не вернул ли он деньги сам. Ничего не отправлено. Верните эту учётную запись в настройки или верните деньги другим способом."
  ),
  order_differs: plain(
    "The problem is about another order than the payout.",
    "Проблема относится к другому заказу, чем выплата."
  ),
  several_problems: plain(
    "This order has several problems for which money can go back. Choose which one: make the payout from that problem.",
    "По этому заказу есть несколько проблем с возвратом денег. Выберите, по какой платить: создайте выплату из неё."
  ),
  order_holds_nothing: plain(
    "Medusa holds no money for this order that was paid in rubles through this service, so none of it can be paid back. To pay out anything else, leave the order empty and say in the note what it is for.",
    "По этому заказу в Medusa нет денег, оплаченных в рублях через этот сервис, поэтому возвращать нечего. Если выплата о другом, оставьте заказ пустым и напишите в заметке, за что она."
  ),
  amount_range: plain(
    `A payout is whole rubles, from ${RANGE.least.en} to ${RANGE.most.en}.`,
    `Выплата: целые рубли, от ${RANGE.least.ru} до ${RANGE.most.ru}.`
  ),
  card_not_active: plain(
    "The service does not pay to this card: it is not active. Choose another one, or activate it in the service's account area.",
    "На эту карту сервис не платит: она не активна. Выберите другую или активируйте её в личном кабинете сервиса."
  ),
  card_gone: plain(
    "The service does not list this card any more. Choose another one.",
    "Этой карты больше нет в сервисе. Выберите другую."
  ),
  secret_refused: plain(
    "The service refused the request: the signing secret is probably wrong or was reset. Copy the new one from the payout section of its account area into the option signingSecret. If it is right, payouts are probably not enabled for this merchant: ask the account manager at the service.",
    "Сервис отклонил запрос: вероятно, секрет подписи неверен или был сброшен. Возьмите новый в разделе выплат личного кабинета и впишите в настройку signingSecret. Если секрет верен, вероятно, выплаты для этого магазина не включены: обратитесь к менеджеру сервиса."
  ),
  feature_off: plain(
    "The service refused it: payouts are probably not enabled for this merchant. Ask the account manager at the service to enable them.",
    "Сервис отказал: вероятно, выплаты для этого магазина не включены. Попросите менеджера сервиса включить их."
  ),
  service_down: plain(
    "The service does not answer as it should at the moment. Try again in a few minutes.",
    "Сервис сейчас не отвечает как положено. Попробуйте через несколько минут."
  ),
  card_number_needed: plain(
    "Type the card number: it is not kept, and is needed for each sending.",
    "Введите номер карты: он не хранится и нужен при каждой отправке."
  ),
  card_number_invalid: plain("A card number has 16 digits.", "В номере карты 16 цифр."),
  card_number_not_needed: plain(
    "This payout goes to a saved card. To pay to a typed number, change the draft.",
    "Эта выплата на сохранённую карту. Чтобы ввести номер, измените черновик."
  ),
  other_card_number: plain(
    "This is not the number to which this payout was sent. Only the same one can be sent again.",
    "Это не тот номер, на который отправлялась выплата. Повторить можно только с тем же."
  ),
  secret_was_reset: plain(
    "The signing secret was changed since this payout was sent, so nobody can tell whether a number is the same. Look for it in the service's account area and mark it.",
    "После отправки сменился секрет подписи, и проверить, тот ли это номер, нельзя. Найдите выплату в личном кабинете сервиса и отметьте результат."
  ),
  other_request: plain(
    "The request would not be the same as the first, so it is not sent again. Look for the payout in the service's account area and mark it.",
    "Запрос отличался бы от первого, поэтому не отправляется. Найдите выплату в личном кабинете сервиса и отметьте результат."
  ),
  similar_payout: plain(
    "There is another payout of the same amount to the same card from the last ten minutes. If this one is meant, too, confirm it.",
    "За последние десять минут уже есть выплата на ту же карту и ту же сумму. Если нужна и эта, подтвердите."
  ),
  awaiting_approval: plain(
    "A second admin must approve this payout before it is sent.",
    "Перед отправкой выплату должен одобрить второй администратор."
  ),
  own_payout: plain(
    "Who made or changed a payout cannot approve it: ask another admin.",
    "Тот, кто создал или изменил выплату, не может её одобрить: попросите другого администратора."
  ),
  approver_types: plain(
    "Who approved this payout must type its card number and send it.",
    "Номер карты вводит и выплату отправляет тот, кто её одобрил."
  ),
  changed_since: plain(
    "Somebody has changed this payout meanwhile. Look at it again.",
    "Выплату тем временем изменили. Посмотрите на неё ещё раз."
  ),
  too_slow: plain(
    "This server was too slow to send it safely. Nothing was sent; send it again.",
    "Сервер работал слишком медленно для безопасной отправки. Ничего не отправлено; отправьте ещё раз."
  ),
  discarded: plain("This payout was discarded.", "Эта выплата отменена."),
  marked: plain(
    "Somebody has marked what became of this payout, so it is neither sent nor marked again.",
    "Результат этой выплаты уже отмечен, поэтому её нельзя ни отправить, ни отметить снова."
  ),
  sent_already: plain(
    "This payout was sent already, so it cannot be changed.",
    "Эта выплата уже отправлена, изменить её нельзя."
  ),
  never_sent: plain(
    "This payout was not sent yet, so it cannot be sent again.",
    "Эта выплата ещё не отправлялась, повторять нечего."
  ),
  not_unknown: plain(
    "Only a payout of which nobody knows whether it went through can be marked.",
    "Отметить можно только выплату, о которой неизвестно, прошла ли она."
  ),
} satisfies Record<string, Text>

/**
 * Replaces the text when the payout was sent before and a repetition is refused: nobody knows whether the first request went
 * through, so the text must not invite a second payout.
 */
const REPETITIONS: Partial<Record<PlainRefusalCode, Text>> = {
  payouts_off: repeated(
    "Payouts are switched off in this store (option payouts.enabled).",
    "Выплаты в этом магазине отключены (настройка payouts.enabled)."
  ),
  no_signing_secret: repeated(
    "This account has no signing secret any more (option signingSecret).",
    "У этой учётной записи больше нет секрета подписи (настройка signingSecret)."
  ),
  account_gone: repeated(
    "No account leads to the merchant and address any more to which this payout was sent.",
    "Магазина и адреса, по которым отправлялась эта выплата, больше нет в настройках."
  ),
  taken_back: repeated(
    "The service has taken back itself the payment that this payout pays back.",
    "Сервис сам вернул оплату, которую возвращает эта выплата."
  ),
  not_confirmed: repeated(
    "The service does not confirm right now that the payment still stands which this payout pays back.",
    "Сервис сейчас не подтверждает, что оплата, которую возвращает эта выплата, в силе."
  ),
  payment_changed: repeated(
    "The service says another thing than before of the payment that this payout pays back.",
    "Сервис сообщает об оплате, которую возвращает эта выплата, не то, что раньше."
  ),
  payment_account_gone: repeated(
    "No account leads to the merchant and address any more at which the payment was made that this payout pays back.",
    "Магазина и адреса, по которым поступила оплата, которую возвращает эта выплата, больше нет в настройках."
  ),
  too_slow: repeated(
    "This server was too slow to send it safely.",
    "Сервер работал слишком медленно для безопасной отправки."
  ),
}

function repeated(en: string, ru: string): Text {
  return {
    en: `${en} This repetition was not made, but the first request may have gone through: look for the payout in the service's account area, then mark it. Make no new one before that.`,
    ru: `${ru} Повторный запрос не отправлен, но первый мог пройти: найдите выплату в личном кабинете сервиса и отметьте результат. До этого не создавайте новую.`,
  }
}

/** A limit that would be exceeded; amounts are whole rubles. */
export type LimitRefusal =
  | { code: "above_per_payout"; limit: number }
  | { code: "above_per_day"; left: number }
  | { code: "above_per_user_per_day"; left: number }
/** The payout is larger than the rest of a problem's money; whole rubles. */
type RefundRefusal = { code: "above_refund"; left: number }
/** Seconds that this server's clock is ahead of the service's. */
type ClockRefusal = { code: "clock_off"; ahead: number }

export type PlainRefusalCode = keyof typeof REFUSALS
export type PayoutRefusal = PlainRefusalCode | LimitRefusal | RefundRefusal | ClockRefusal

/** @param isRepetition whether the payout was sent before, so that money may have gone already */
export function payoutRefusal(
  refused: PayoutRefusal,
  isRepetition = false
): { code: string; text: Text } {
  if (typeof refused === "string") {
    const text = (isRepetition && REPETITIONS[refused]) || REFUSALS[refused]
    return { code: refused, text }
  }
  if (refused.code === "above_refund") return { code: refused.code, text: refundText(refused) }
  if (refused.code !== "clock_off") return { code: refused.code, text: limitText(refused) }
  const off = clockRemark(refused.ahead)
  return {
    code: refused.code,
    text: {
      en: `The service refused the signature, because this server's clock is wrong.${off.en}`,
      ru: `Сервис не принял подпись, потому что часы этого сервера идут неверно.${off.ru}`,
    },
  }
}

function refundText(refused: RefundRefusal): Text {
  const left = rubles(refused.left)
  return {
    en: `Of the money that is to be paid back, ${left.en} are left for another payout: drafts and payouts that may have gone through count, too.`,
    ru: `Из суммы к возврату на новую выплату остаётся ${left.ru}: черновики и выплаты, которые могли пройти, тоже учтены.`,
  }
}

function limitText(refused: LimitRefusal): Text {
  const how = " The limits stand in the configuration file."
  const ru = " Лимиты задаются в файле настроек."
  if (refused.code === "above_per_payout") {
    const limit = rubles(refused.limit)
    return {
      en: `A payout of this store is at most ${limit.en} (option payouts.perPayout).${how}`,
      ru: `Выплата в этом магазине: не больше ${limit.ru} (настройка payouts.perPayout).${ru}`,
    }
  }
  const left = rubles(refused.left)
  return refused.code === "above_per_day"
    ? {
        en: `Of today's limit for payouts ${left.en} are left (option payouts.perDay).${how}`,
        ru: `От дневного лимита выплат осталось ${left.ru} (настройка payouts.perDay).${ru}`,
      }
    : {
        en: `Of today's limit for payouts of one admin ${left.en} are left (option payouts.perUserPerDay).${how}`,
        ru: `От дневного лимита на одного администратора осталось ${left.ru} (настройка payouts.perUserPerDay).${ru}`,
      }
}
