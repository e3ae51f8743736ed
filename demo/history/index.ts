import pLimit from "p-limit"

import type { Simulator } from "../../simulator"
import type { OwedOrder } from "../owed-order"
import type { Progress } from "../progress"
import { Past } from "./past"
import { STORIES, type Story, SUBSCRIBERS } from "./people"
import { type BegunPayment, openShop, type RunningShop, ShopClient } from "./shop-client"

/** The time after which an order was canceled, or its money taken back. */
const LATER_MS = 7 * 60 * 60 * 1000
/** More at once would only wait for each other in the store's process, and the service for none longer than ten seconds. */
const BEGUN_AT_ONCE = 2
const OWED_FOR_MS = 6.6 * 24 * 60 * 60 * 1000

interface Problem {
  id: string
  kind: string
  amount: string
}

/**
 * Lets a week happen in a shop in which nothing has happened yet: each purchase is made by the shop's and the simulator's own routes,
 * and then moved back to its day. Nothing is done in a shop that has payments.
 */
export async function makeHistory(
  shop: RunningShop,
  places: { databaseUrl: string; simulator: Simulator; owed: OwedOrder | null },
  progress: Progress
): Promise<void> {
  const past = await Past.open(places.databaseUrl, places.simulator)
  try {
    if (await past.hasPayments()) return
    await progress.during("Making a week of history", async () => {
      const client = await openShop(shop)
      await new Week(client, past, places.simulator).make()
      if (places.owed) await past.moveBack(places.owed, OWED_FOR_MS)
      await nameCodes(client)
      await compareAndExport(client)
    })
  } finally {
    await past.close()
  }
}

/** Gives the simulator's subscribers the addresses of customers, so that the dashboard knows their names. */
export function nameSubscribers(simulator: Simulator): void {
  for (const [index, { id }] of simulator.subscriptions().entries()) {
    const customerEmail = SUBSCRIBERS[index]
    if (customerEmail) simulator.editSubscription(id, { customerEmail })
  }
}

class Week {
  constructor(
    private readonly shop: ShopClient,
    private readonly past: Past,
    private readonly simulator: Simulator
  ) {}

  async make(): Promise<void> {
    const inTurn = pLimit(BEGUN_AT_ONCE)
    const begun = await Promise.all(STORIES.map((story) => inTurn(() => this.begin(story))))
    const ended: (() => Promise<void>)[] = []
    for (const [index, story] of STORIES.entries()) {
      const payment = begun[index]
      if (payment) ended.push(await this.end(story, payment))
    }
    // Captures and events of an order come by themselves in the meantime, so all of it is moved at the end.
    for (const move of ended) await move()
  }

  private async begin(story: Story): Promise<BegunPayment> {
    const { email, firstName, lastName } = story.buyer
    await this.shop.asAdmin("/customers", { email, first_name: firstName, last_name: lastName })
    return await this.shop.begin(story.buyer, story.purchase)
  }

  /** Lets the payer act, and answers what moves it all to its day. */
  private async end(story: Story, payment: BegunPayment): Promise<() => Promise<void>> {
    await this.past.moveBack(payment, story.tookMs)
    await this.click(`pay/${payment.transactionId}/${story.payer}`)
    const orderId = await this.shop.whenEnded(payment)
    const happened = { ...payment, orderId }
    const waited = story.later ? LATER_MS : 0
    if (waited) await this.past.moveBack(happened, waited)
    await this.goOn(story, payment, orderId)
    return () => this.past.moveBack(happened, story.agoMs - story.tookMs - waited)
  }

  private async goOn({ later }: Story, { transactionId }: BegunPayment, orderId: string | null) {
    if (later === "reversed") await this.click(`actions/${transactionId}/reverse`)
    else if (later) await this.shop.asAdmin(`/orders/${orderId}/cancel`, {})
    else return
    const kind = later === "reversed" ? "reversed" : "refund_due"
    const problem = await this.shop.eventually(`the problem ${kind}`, async () => {
      const { problems } = await this.shop.asAdmin<{ problems: Problem[] }>(
        `/payment-service/problems?order_id=${orderId}`
      )
      return problems.find((one) => one.kind === kind)
    })
    if (later === "paid_back") await this.payBack(problem)
  }

  /** By a payout, if the demo's admin may send one alone. */
  private async payBack({ id, amount }: Problem): Promise<void> {
    const { enabled, approval, may } = await this.shop.asAdmin<{
      enabled: boolean
      approval: boolean
      may: { create: boolean }
    }>("/payment-service/payout-settings")
    if (!enabled || approval || !may.create) return
    const { cards } = await this.shop.asAdmin<{ cards: { card_id: string }[] }>(
      "/payment-service/cards"
    )
    const { payout } = await this.shop.asAdmin<{ payout: { id: string; revision: number } }>(
      "/payment-service/payouts",
      { card_id: cards[0]?.card_id, amount: Number(amount), problem_id: id }
    )
    const { revision } = payout
    await this.shop.asAdmin(`/payment-service/payouts/${payout.id}/send`, { revision })
  }

  private async click(path: string): Promise<void> {
    const answer = await fetch(`${this.simulator.url}/${path}`, {
      method: "POST",
      redirect: "manual",
    })
    if (answer.status !== 303) throw new Error(`The simulator answered ${answer.status} to ${path}`)
  }
}

/** Subscriptions have codes in the service's list; the settings give them names. */
async function nameCodes(shop: ShopClient): Promise<void> {
  const { accounts } = await shop.asAdmin<{ accounts: { account: string; version: number }[] }>(
    "/payment-service/settings"
  )
  const version = accounts.find(({ account }) => account === "")?.version ?? 0
  await shop.asAdmin("/payment-service/settings", {
    account: "",
    version,
    options: {
      "subscriptions.statusCodes": { Active: "1", Paused: "2", "Past due": "3", Canceled: "4" },
      "subscriptions.intervalCodes": { Day: "1", Week: "2", Month: "3", Year: "4" },
    },
  })
}

async function compareAndExport(shop: ShopClient): Promise<void> {
  await shop.asAdmin("/payment-service/comparisons", {})
  await shop.eventually("the comparison", async () => {
    const { comparisons } = await shop.asAdmin<{ comparisons: { finished_at: string | null }[] }>(
      "/payment-service/comparisons"
    )
    return comparisons[0]?.finished_at
  })
  await shop.asAdmin("/payment-service/exports/transactions.csv?source=store")
}
