import type { Messages } from "./en"
import { plural } from "./plural"

const items = plural("ru", { one: "товар", few: "товара", many: "товаров", other: "товара" })

export const ru: Messages = {
  shop: "Тихая лавка",
  language: "Язык",
  skipToContent: "Перейти к содержанию",
  footer: "Демонстрационный магазин. Товары не доставляются, настоящие деньги не списываются.",

  home: {
    title: "Хорошие вещи без спешки",
    lead: "Маленький магазин, который принимает оплату по QR-коду СБП и криптовалютой.",
    empty: "Товаров пока нет.",
    add: "В корзину",
    added: "Добавлено",
    toCart: "Перейти в корзину",
    variant: "Вариант",
    last: "Последний",
    few: (count) => `Осталось ${count}`,
    soldOut: "Нет в наличии",
    noPrice: "Нет цены для этого региона",
  },

  cart: {
    title: "Корзина",
    link: (count) => `Корзина, ${count} ${items(count)}`,
    empty: "В корзине пока пусто.",
    toShop: "Выбрать что-нибудь",
    quantity: (title) => `Количество: ${title}`,
    less: "На один меньше",
    more: "На один больше",
    remove: "Убрать",
    removeItem: (title) => `Убрать ${title}`,
    checkout: "Оформить заказ",
  },

  summary: {
    title: "Ваш заказ",
    items: "Товары",
    shipping: "Доставка",
    tax: "В том числе налог",
    free: "Бесплатно",
    total: "Итого",
    notChosen: "ещё не выбрана",
  },

  checkout: {
    title: "Оформление",
    contact: "Контакты",
    email: "Эл. почта",
    emailHint: "Чтобы магазин мог связаться с вами по заказу.",
    firstName: "Имя",
    lastName: "Фамилия",
    delivery: "Доставка",
    address: "Улица, дом, квартира",
    city: "Город",
    postalCode: "Индекс",
    country: "Россия",
    shipping: { courier: "Курьер", pickup: "Самовывоз" },
    noShipping: "Для этой корзины нет способа доставки.",
    payment: "Оплата",
    noMethods: "В этом регионе не включён ни один способ оплаты.",
    pay: (amount) => `Оплатить ${amount}`,
    preparing: "Готовим оплату…",
    totalChanged: (amount) => `Теперь итог — ${amount}. Проверьте и нажмите «Оплатить» ещё раз.`,
    sample: {
      firstName: "Анна",
      lastName: "Смирнова",
      address: "ул. Лесная, 12, кв. 5",
      city: "Москва",
    },
    steps: { label: "Шаги", cart: "Корзина", details: "Данные", payment: "Оплата" },
  },

  method: {
    sbp: "СБП — по QR-коду",
    sbpHint: "Отсканируйте код в приложении банка.",
    crypto: "Криптовалюта (USDT)",
    cryptoHint: "Оплата в USDT из вашего кошелька на странице сервиса.",
  },

  payment: {
    title: "Оплата",
    nothing: "Здесь нет платежа.",
    loading: "Узнаём, что с платежом…",
  },

  result: {
    orderNumber: "Номер заказа",
    orderLoading: "Открываем заказ…",
    waitingOrder: (number) => `Заказ ${number} забронирован за вами до поступления оплаты.`,
    continue: "Продолжить покупки",
  },

  error: {
    title: "Что-то пошло не так",
    load: "Не получилось прочитать данные магазина.",
    payment: "Не получилось создать платёж.",
    cart: "Не получилось изменить корзину.",
    stock: "Столько нет в наличии.",
    network: "Магазин не отвечает. Проверьте связь и попробуйте снова.",
    retry: "Попробовать снова",
    crash: "Страница споткнулась. Обновите её: с вашей оплатой ничего не случилось.",
    reload: "Обновить",
  },
}
