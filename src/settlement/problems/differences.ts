import { money, type Sum, type Text } from "../../texts"

/** The facts of each kind of difference. They are stored as JSON. */
interface Facts {
  // Differences between the service's description of a transaction and our request; null is a fact that the service does not
  // give.
  merchant: { read: string | null; ours: string }
  /** The reference that was read may be somebody else's, so only whether there was one is kept. */
  reference: { isNamed: boolean; ours: string }
  currency: { read: string; asked: string }
  amount: { read: Sum; asked: Sum }
  accepted_amount: { read: Sum; accepted: Sum }
  unlisted_status: { status: string }
  reversed: { status: string }
  // Differences between the service's answer now and the state that a person saw when they took care of the money.
  paid_since_handled: object
  amount_since_handled: { read: Sum; handled: Sum }
  currency_since_handled: { read: Sum; handled: Sum }
  // Differences between Medusa and the transaction.
  session_sum: { session: string; is: Sum; transaction: Sum }
  cart_total: { cart: string; is: Sum; session: Sum }
  accepted_cart_total: { cart: string; is: Sum; accepted: Sum }
  session_gone: object
  target_gone: object
  payment_canceled: { payment: string }
  order_canceled: { order: string }
  /** Another payment was taken; `order` is null for a collection without an order. */
  other_payment: { payment: string; order: string | null }
  order_owed: { order: string; owed: Sum }
}

/** A fact that shows how a paid transaction is not in order. */
export type Difference = { [What in keyof Facts]: { what: What } & Facts[What] }[keyof Facts]

const TEXTS: { [What in keyof Facts]: (facts: Facts[What]) => Text } = {
  merchant: ({ read, ours }) => ({
    en: `merchant ${read || "missing"}, ours ${ours}`,
    ru: `мерчант ${read || "не указан"}, наш — ${ours}`,
  }),
  reference: ({ isNamed, ours }) => ({
    en: `payload ${isNamed ? "is another one" : "is missing"}, ours ${ours}`,
    ru: `референс ${isNamed ? "чужой" : "не указан"}, наш — ${ours}`,
  }),
  currency: ({ read, asked }) => ({
    en: `currency ${read || "missing"}, asked for ${asked}`,
    ru: `валюта ${read || "не указана"}, запрошена ${asked}`,
  }),
  amount: ({ read, asked }) => ({
    en: `amount ${money(read).en}, asked for ${money(asked).en}`,
    ru: `сумма ${money(read).ru}, запрошено ${money(asked).ru}`,
  }),
  accepted_amount: ({ read, accepted }) => ({
    en: `amount ${money(read).en}, accepted ${money(accepted).en}`,
    ru: `сумма ${money(read).ru}, принято ${money(accepted).ru}`,
  }),
  unlisted_status: ({ status }) => ({
    en: `status "${status}" is in none of the configured lists`,
    ru: `статуса «${status}» нет ни в одном из заданных списков`,
  }),
  reversed: ({ status }) => ({
    en: `the service now calls it "${status}"`,
    ru: `теперь у сервиса она в статусе «${status}»`,
  }),
  paid_since_handled: () => ({
    en: "paid by now, taken back when a person handled it",
    ru: "теперь оплачено, а когда вопрос решали, оплата была отозвана",
  }),
  amount_since_handled: ({ read, handled }) => ({
    en: `amount ${money(read).en}, ${money(handled).en} when a person handled it`,
    ru: `сумма ${money(read).ru}, а когда вопрос решали — ${money(handled).ru}`,
  }),
  currency_since_handled: ({ read, handled }) => ({
    en: `${money(read).en}, ${money(handled).en} when a person handled it`,
    ru: `${money(read).ru}, а когда вопрос решали — ${money(handled).ru}`,
  }),
  session_sum: ({ session, is, transaction }) => ({
    en: `session ${session} is for ${money(is).en}, the transaction for ${money(transaction).en}`,
    ru: `платёжная сессия ${session} — на ${money(is).ru}, транзакция — на ${money(transaction).ru}`,
  }),
  cart_total: ({ cart, is, session }) => ({
    en: `cart ${cart} is now ${money(is).en}, its session ${money(session).en}`,
    ru: `корзина ${cart} теперь на ${money(is).ru}, её платёжная сессия — на ${money(session).ru}`,
  }),
  accepted_cart_total: ({ cart, is, accepted }) => ({
    en: `cart ${cart} is now ${money(is).en}, accepted as ${money(accepted).en}`,
    ru: `корзина ${cart} теперь на ${money(is).ru}, а приняли её на ${money(accepted).ru}`,
  }),
  session_gone: () => ({
    en: "its payment session was deleted or replaced",
    ru: "её платёжную сессию удалили или заменили",
  }),
  target_gone: () => ({
    en: "what it was to pay for is not there any more",
    ru: "того, что она должна была оплатить, больше нет",
  }),
  payment_canceled: ({ payment }) => ({
    en: `payment ${payment} was canceled in Medusa`,
    ru: `платёж ${payment} отменён в Medusa`,
  }),
  order_canceled: ({ order }) => ({
    en: `order ${order} is canceled`,
    ru: `заказ ${order} отменён`,
  }),
  other_payment: ({ payment, order }) => ({
    en: `${order ? `order ${order}` : "its payment collection"} has payment ${payment}`,
    ru: `${order ? `у заказа ${order}` : "в её наборе платежей"} уже есть платёж ${payment}`,
  }),
  order_owed: ({ order, owed }) => ({
    en: `order ${order} is owed ${money(owed).en} by now`,
    ru: `по заказу ${order} теперь осталось оплатить ${money(owed).ru}`,
  }),
}

/** A difference as text. One that another version of this package has stored shows at least its name. */
export function differenceText(difference: Difference): Text {
  const { what } = difference
  const text = (TEXTS as Partial<Record<string, (facts: object) => Text>>)[what]
  return text?.(difference) ?? { en: what, ru: what }
}
