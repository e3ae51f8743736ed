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

const [TOWEL, TEA] = [0, 1]
const buys = (variant: number, quantity: number, method: Purchase["method"] = "sbp"): Purchase => ({
  variant,
  quantity,
  method,
})

/** @param who name, mailbox and city */
function story(
  daysAgo: number,
  minutesTaken: number,
  who: [name: string, mailbox: string, city: string],
  purchase: Purchase,
  payer: Story["payer"],
  later?: Story["later"]
): Story {
  const [name, mailbox, city] = who
  const [firstName = "", lastName = ""] = name.split(" ")
  return {
    buyer: { email: `${mailbox}@example.com`, firstName, lastName, city },
    purchase,
    payer,
    later,
    agoMs: daysAgo * DAY,
    tookMs: minutesTaken * MINUTE,
  }
}

/** The oldest first, so that the orders' numbers grow with their days. */
export const STORIES: Story[] = [
  story(6.3, 2, ["Ольга Кузнецова", "olga", "Казань"], buys(TOWEL, 2), "pay"),
  story(5.6, 6, ["Михаил Орлов", "orlov", "Тверь"], buys(TEA, 3, "crypto"), "pay"),
  story(4.7, 1, ["Елена Белова", "belova", "Москва"], buys(TOWEL, 1), "pay", "paid_back"),
  story(4.2, 3, ["Дмитрий Соколов", "sokolov", "Пермь"], buys(TEA, 1), "decline"),
  story(3.3, 1, ["Анна Смирнова", "anna", "Москва"], buys(TEA, 2), "pay"),
  story(2.6, 4, ["Павел Волков", "volkov", "Омск"], buys(TOWEL, 3), "less"),
  story(2.1, 15, ["Ирина Лебедева", "irina", "Самара"], buys(TOWEL, 1, "crypto"), "expire"),
  story(1.7, 2, ["Сергей Новиков", "novikov", "Уфа"], buys(TOWEL, 2), "pay", "reversed"),
  story(1.2, 1, ["Наталья Морозова", "morozova", "Тула"], buys(TEA, 4), "pay", "canceled"),
  story(0.4, 2, ["Алексей Фёдоров", "fedorov", "Москва"], buys(TOWEL, 1), "pay"),
]

/** The simulator's subscribers, in its order. */
export const SUBSCRIBERS = STORIES.slice(0, 5).map((story) => story.buyer.email)
