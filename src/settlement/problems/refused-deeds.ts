import { money, type Sum, type Text } from "../../texts"

/**
 * The plugin's refusals of an admin's request, by code; each sentence says what to do instead. Sums are decimal text, as the
 * reader has typed or seen them.
 */
export const REFUSED_DEEDS = {
  problem_closed: () => ({
    en: "This problem is closed already.",
    ru: "Эта проблема уже закрыта.",
  }),
  other_actions: ({ actions }: { actions: readonly string[] }) => ({
    en: `A problem of this kind cannot be solved in this way. What can be done: ${actions.join(", ")}.`,
    ru: `Проблему такого вида так решить нельзя. Что можно сделать: ${actions.join(", ")}.`,
  }),
  no_single_transaction: () => ({
    en: "This problem is not about one transaction of this store. It can only be marked as handled.",
    ru: "Эта проблема относится не к одной транзакции магазина. Её можно только отметить как решённую.",
  }),
  being_settled: () => ({
    en: "This payment is being settled right now. Please try again in a moment.",
    ru: "Эта транзакция сейчас проводится. Повторите попытку через минуту.",
  }),
  settled_meanwhile: () => ({
    en: "This payment has settled in the meantime. Nothing is left to accept.",
    ru: "Эта транзакция тем временем проведена. Принимать больше нечего.",
  }),
  not_acceptable: ({ status, why }: { status: string; why: Text }) => ({
    en: `The service does not confirm a payment that can be accepted (it calls it "${status}"; ${why.en}).`,
    ru: `Сервис не подтверждает оплату, которую можно принять (её статус «${status}»; ${why.ru}).`,
  }),
  other_currency: ({ cart, paid }: { cart: string; paid: string }) => ({
    en: `The cart is in ${cart}, the payment in ${paid}.`,
    ru: `Валюта корзины ${cart}, а валюта оплаты ${paid}.`,
  }),
  other_sum_paid: ({ paid, seen }: { paid: Sum; seen: string }) => ({
    en: `${money(paid).en} were paid by now, not ${money({ ...paid, amount: seen }).en}. Please look at it again.`,
    ru: `Сейчас оплачено ${money(paid).ru}, а не ${money({ ...paid, amount: seen }).ru}. Посмотрите ещё раз.`,
  }),
  other_cart_total: ({ total, paid, seen }: { total: Sum; paid: Sum; seen: string | null }) => ({
    en:
      `The cart is worth ${money(total).en} now, and ${money(paid).en} were paid` +
      `${seen ? `; you have seen ${money({ ...total, amount: seen }).en}` : ""}. Look at the problem again and confirm "cart_total": "${total.amount}" to place the order for that ` +
      "sum all the same; what is missing stays owed.",
    ru:
      `Корзина сейчас стоит ${money(total).ru}, а оплачено ${money(paid).ru}` +
      `${seen ? `; вы видели ${money({ ...total, amount: seen }).ru}` : ""}. Откройте проблему ещё раз, чтобы оформить заказ на новую сумму: ` +
      "недостающее останется долгом.",
  }),
  list_too_long: ({ most }: { most: number }) => ({
    en: `The service lists more than ${most.toLocaleString("en")} transactions for this period. Choose a shorter one, or export it.`,
    ru: `За этот период в списке сервиса больше ${most.toLocaleString("ru")} транзакций. Выберите период короче или выгрузите файл.`,
  }),
  payment_held: () => ({
    en: "Medusa holds a payment for this already. Pay the money back instead.",
    ru: "В Medusa это уже оплачено. Верните деньги.",
  }),
  cart_gone: () => ({
    en: "The cart of this payment is gone. Pay the money back, or make an order by hand and mark the problem as handled.",
    ru: "Корзины этой оплаты больше нет. Верните деньги или создайте заказ вручную и отметьте проблему как решённую.",
  }),
  order_has_foreign_items: ({ order, names }: { order: string; names: string }) => ({
    en:
      `Order ${order} cannot be copied, because ${names} is to be shipped and is no product of the shop. Make an ` +
      "order by hand and mark the problem as handled, or pay the money back.",
    ru:
      `Заказ ${order} нельзя повторить: ${names} нужно доставить, но такого товара в магазине нет. Создайте заказ ` +
      "вручную и отметьте проблему как решённую или верните деньги.",
  }),
  products_gone: ({ names }: { names: string }) => ({
    en: `The shop does not have ${names} any more. Pay the money back, or make an order by hand.`,
    ru: `В магазине больше нет товара: ${names}. Верните деньги или создайте заказ вручную.`,
  }),
  copy_worth_other: ({ order, copied, ordered }: { order: string; copied: Sum; ordered: Sum }) => ({
    en:
      `A new order like ${order} would be worth ${money(copied).en}, and that one was worth ` +
      `${money(ordered).en}: it has credits or changes that cannot be copied. Make an order by ` +
      "hand and mark the problem as handled, or pay the money back.",
    ru:
      `Новый заказ вместо ${order} стоил бы ${money(copied).ru}, а тот стоил ${money(ordered).ru}: его зачёты или ` +
      "изменения нельзя повторить. Создайте заказ вручную и отметьте проблему как решённую или верните деньги.",
  }),
  id_unknown: () => ({
    en: "The store does not know this payment's id at the service, so it cannot ask about it. Enter the id on the payment's page, if the service has one.",
    ru: "Магазин не знает идентификатора этого платежа в сервисе, поэтому спросить о нём нельзя. Если платёж в сервисе есть, введите его идентификатор на странице платежа.",
  }),
  being_opened: () => ({
    en: "The service's reply with this payment's id may still be on its way. Please try again in ten minutes.",
    ru: "Ответ сервиса с идентификатором этого платежа ещё может прийти. Повторите попытку через десять минут.",
  }),
  id_known: ({ id }: { id: string }) => ({
    en: `The store knows this payment by another id already: ${id}.`,
    ru: `Магазин уже знает этот платёж под другим идентификатором: ${id}.`,
  }),
  id_of_other: ({ id, reference }: { id: string; reference: string }) => ({
    en:
      `The service does not confirm that ${id} belongs to this payment. Look in its account area for the transaction ` +
      `with the reference ${reference}.`,
    ru:
      `Сервис не подтверждает, что ${id} относится к этому платежу. Найдите в личном кабинете сервиса транзакцию с ` +
      `референсом ${reference}.`,
  }),
  taken_meanwhile: () => ({
    en: "Medusa has taken this payment in the meantime. Please look at it again.",
    ru: "Тем временем оплата учтена в Medusa. Посмотрите ещё раз.",
  }),
  order_being_changed: () => ({
    en: "The order is being changed: an edit, return, exchange or claim of it is open. Confirm or cancel that first, because Medusa cannot book a refund meanwhile. Nothing was recorded.",
    ru: "Заказ сейчас изменяют: открыто изменение, возврат, обмен или претензия. Сначала подтвердите или отмените его, потому что до этого Medusa не может записать возврат денег. Ничего не записано.",
  }),
  refund_being_asked: () => ({
    en: "Medusa is asking for another refund of this payment right now. Record it once more in a minute; that finishes it.",
    ru: "Medusa прямо сейчас запрашивает другой возврат этой оплаты. Запишите возврат ещё раз через минуту: это завершит запись.",
  }),
  payment_lost: () => ({
    en: "Medusa no longer shows the payment that it captured. Nothing was booked.",
    ru: "В Medusa больше не видно оплаты, которую она приняла. Ничего не записано.",
  }),
  other_sum: ({ now, said }: { now: Sum; said: string }) => ({
    en: `This problem is about ${money(now).en} by now, not ${money({ ...now, amount: said }).en}. Please look at it again.`,
    ru: `Сейчас в этой проблеме речь о сумме ${money(now).ru}, а не ${money({ ...now, amount: said }).ru}. Посмотрите ещё раз.`,
  }),
  reversed_meanwhile: () => ({
    en:
      "The payment service took this payment back in the meantime, so nothing of it is to be paid back. " +
      'If it was, record it in the problem "Payment taken back" of this payment.',
    ru:
      "Тем временем сервис сам вернул эту оплату, поэтому возвращать ничего не нужно. Если деньги уже возвращены, " +
      "отметьте это в проблеме «оплата отозвана» этой транзакции.",
  }),
  nothing_due: () => ({
    en: "Nothing of this payment is to be paid back any more.",
    ru: "По этой оплате больше ничего возвращать не нужно.",
  }),
  payouts_under_way: ({ underWay }: { underWay: Sum }) => ({
    en:
      `Payouts of ${money(underWay).en} for it are under way, or nobody knows whether they went ` +
      "through. Look for them in the service's account area first, and send them again or mark them.",
    ru:
      `Выплаты на ${money(underWay).ru} по ней ещё выполняются, или неизвестно, прошли ли они. Сначала найдите их в ` +
      "личном кабинете сервиса и отправьте ещё раз или отметьте.",
  }),
  no_payout_to_record: () => ({
    en: "No payout has been made for it that is not recorded yet.",
    ru: "По ней нет выплат, которые ещё не записаны.",
  }),
  not_all_paid_back: ({ left }: { left: Sum }) => ({
    en: `${money(left).en} of it were not paid back yet. Pay them out, too, or record that they were refunded outside.`,
    ru: `Ещё не возвращено ${money(left).ru}. Выплатите и эту сумму или отметьте, что она возвращена вне сервиса.`,
  }),
  paid_out_not_recorded: ({ paidOut }: { paidOut: Sum }) => ({
    en: `${money(paidOut).en} were paid out for it. Record that refund first; what is left can be marked as handled then.`,
    ru: `По ней выплачено ${money(paidOut).ru}. Сначала запишите этот возврат; остаток потом можно отметить решённым.`,
  }),
  refund_begun: ({ refund }: { refund: Sum }) => ({
    en: `A refund of ${money(refund).en} outside is written down for it, but Medusa has not booked it. Record it once more; that finishes it.`,
    ru: `По ней записан возврат ${money(refund).ru} вне сервиса, но в Medusa он не проведён. Запишите его ещё раз: это завершит запись.`,
  }),
  no_excess: () => ({
    en: "This order is not overpaid any more.",
    ru: "Переплаты по этому заказу больше нет.",
  }),
  other_payment: () => ({
    en: "The excess goes back of another payment of this order by now. Read the problem again.",
    ru: "Переплата теперь возвращается по другой оплате этого заказа. Перечитайте проблему.",
  }),
  nothing_to_compare: () => ({
    en: "There is nothing to compare: this store has not opened any payment there yet.",
    ru: "Сверять нечего: магазин ещё не создал там ни одной транзакции.",
  }),
  comparison_running: () => ({
    en: "A comparison is running already. Its result will be in the list when it has ended.",
    ru: "Сверка уже идёт. Её результат появится в списке, когда она закончится.",
  }),
  token_in_options: () => ({
    en:
      "The token of the callback address is in the option callbackToken. Change it there; the one before keeps " +
      "working until it is removed here.",
    ru:
      "Токен адреса уведомлений задан в настройке callbackToken. Измените его там; прежний работает, пока его не " +
      "удалят здесь.",
  }),
  token_in_use: () => ({
    en: "This token is in use. Replace it first, then remove it.",
    ru: "Этот токен используется. Сначала замените его, затем удалите.",
  }),
  no_such_account: ({ account }: { account: string }) => ({
    en: `There is no account ${account}.`,
    ru: `Учётной записи ${account} нет.`,
  }),
  no_such_code: ({ name, option }: { name: string; option: string }) => ({
    en: `${name} is neither a numeric code of the service nor a label in the option ${option}.`,
    ru: `«${name}» — это не числовой код сервиса и не название из настройки ${option}.`,
  }),
} satisfies Record<string, (facts: never) => Text>

/** Refusals because nothing has the id that was asked for. */
export const NOT_FOUND = {
  no_transaction: ({ id }: { id: string }) => ({
    en: `There is no transaction ${id} in this store.`,
    ru: `В этом магазине нет транзакции ${id}.`,
  }),
  no_problem: ({ id }: { id: string }) => ({
    en: `There is no problem ${id} in this store.`,
    ru: `В этом магазине нет проблемы ${id}.`,
  }),
  no_token: () => ({
    en: "This address is gone already.",
    ru: "Этот адрес уже удалён.",
  }),
  no_transaction_id: ({ id }: { id: string }) => ({
    en: `${id} is not the id of a transaction.`,
    ru: `${id} — это не идентификатор транзакции.`,
  }),
  unknown_transaction: ({ id }: { id: string }) => ({
    en: `The payment service has no transaction ${id}.`,
    ru: `У платёжного сервиса нет транзакции ${id}.`,
  }),
  no_subscription_id: ({ id }: { id: string }) => ({
    en: `${id} is not the id of a subscription.`,
    ru: `${id} — это не идентификатор подписки.`,
  }),
  unknown_subscription: ({ id }: { id: string }) => ({
    en: `The payment service has no subscription ${id}.`,
    ru: `У платёжного сервиса нет подписки ${id}.`,
  }),
}

export type RefusedDeedCode = keyof typeof REFUSED_DEEDS
