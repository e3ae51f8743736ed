import type { Buyer, Purchase } from "./shop-client"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How a purchase of the last week went. */
export interface Story {
  buyer: Buyer
  purchase: Purchase
  /** The payer's click on the simulator's page. */
  payer: "pay" | "decline" | "expire" | "less"
  /** Its fate after the payment. */
  later?: "reversed" | "canceled" | "paid_back"
  /** When the payment was begun, and how long the payer took. */
  agoMs: number
  tookMs: number
}

const buyer = (name: string, local: string, city: string): Buyer => {
  const [firstName = "", lastName = ""] = name.split(" ")
  return { email: `${local}@example.com`, firstName, lastName, city }
}
const ago = (days: number, minutes: number) => ({ agoMs: days * DAY, tookMs: minutes * MINUTE })
const [TOWEL, TEA] = [0, 1]
const towels = (quantity: number, method: Purchase["method"] = "sbp"): Purchase => ({
  variant: TOWEL,
  quantity,
  method,
})
const tea = (quantity: number, method: Purchase["method"] = "sbp"): Purchase => ({
  variant: TEA,
  quantity,
  method,
})

/** The oldest first, so that the orders' numbers grow with their days. */
export const STORIES: Story[] = [
  {
    buyer: buyer("Ольга Кузнецова", "olga", "Казань"),
    purchase: towels(2),
    payer: "pay",
    ...ago(6.3, 2),
  },
  {
    buyer: buyer("Михаил Орлов", "orlov", "Тверь"),
    purchase: tea(3, "crypto"),
    payer: "pay",
    ...ago(5.6, 6),
  },
  {
    buyer: buyer("Елена Белова", "belova", "Москва"),
    purchase: towels(1),
    payer: "pay",
    later: "paid_back",
    ...ago(4.7, 1),
  },
  {
    buyer: buyer("Дмитрий Соколов", "sokolov", "Пермь"),
    purchase: tea(1),
    payer: "decline",
    ...ago(4.2, 3),
  },
  {
    buyer: buyer("Анна Смирнова", "anna", "Москва"),
    purchase: tea(2),
    payer: "pay",
    ...ago(3.3, 1),
  },
  {
    buyer: buyer("Павел Волков", "volkov", "Омск"),
    purchase: towels(3),
    payer: "less",
    ...ago(2.6, 4),
  },
  {
    buyer: buyer("Ирина Лебедева", "irina", "Самара"),
    purchase: towels(1, "crypto"),
    payer: "expire",
    ...ago(2.1, 15),
  },
  {
    buyer: buyer("Сергей Новиков", "novikov", "Уфа"),
    purchase: towels(2),
    payer: "pay",
    later: "reversed",
    ...ago(1.7, 2),
  },
  {
    buyer: buyer("Наталья Морозова", "morozova", "Тула"),
    purchase: tea(4),
    payer: "pay",
    later: "canceled",
    ...ago(1.2, 1),
  },
  {
    buyer: buyer("Алексей Фёдоров", "fedorov", "Москва"),
    purchase: towels(1),
    payer: "pay",
    ...ago(0.4, 2),
  },
]

/** The simulator's subscribers, in its order. */
export const SUBSCRIBERS = STORIES.slice(0, 5).map((story) => story.buyer.email)
