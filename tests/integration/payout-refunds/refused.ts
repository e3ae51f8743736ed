import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import { type Admin, logIn } from "../admin"
import { CARDS, NUMBER, type PayoutUser, send, signedIn } from "../payouts/payouts-of"
import { act, openProblem } from "../problems-of"
import { Shopper } from "../shopper"
import { settledRow, type TestStore } from "../store"

const SPACED = NUMBER.replace(/(\d{4})(?=\d)/g, "$1 ")

/** Parts of admins' notes that are not kept. */
export function refusedRefunds(store: TestStore): void {
  let admin: Admin
  let vera: PayoutUser
  let shopper: Shopper
  beforeEach(async () => {
    admin = await logIn(store)
    vera = await signedIn(store, "Vera")
    shopper = new Shopper(store)
  })

  const run = async (statement: string, values: string[]) =>
    await store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION).raw(statement, values)
  const bought = async () => {
    const payment = await shopper.checkout("sbp")
    await store.simulator.pay(payment.data.transaction_id)
    return { payment, row: await settledRow(store, payment.sessionId) }
  }
  /** Paid for a cart that had changed: no order took the money. */
  const paidForNothing = async () => {
    const payment = await shopper.checkout("sbp")
    await shopper.addItem(payment.cartId, 1)
    await store.simulator.pay(payment.data.transaction_id)
    return await openProblem(store, payment)
  }
  it("keeps no card number that an admin writes into a note (promise 17)", async () => {
    const note = `To ${NUMBER}, ${SPACED}, ${SPACED.replaceAll(" ", "\u00a0")}`
    const recorded = await paidForNothing()
    const amount = Math.floor(Number(recorded.amount))
    const rest = (Number(recorded.amount) - amount).toFixed(2)
    const made = await vera.post("payouts", {
      card_id: CARDS[0],
      amount,
      problem_id: recorded.id,
    })
    await send(vera, made.data.payout)
    if (Number(rest) > 0) {
      const told = { note, amount: rest }
      expect((await act(admin, recorded, "refunded-outside", told)).status).toBe(200)
    }
    expect((await act(admin, await paidForNothing(), "handle", { note })).status).toBe(200)
    const outside = await paidForNothing()
    expect((await act(admin, outside, "refunded-outside", { note })).status).toBe(200)

    // Medusa holds this one, so its refund repeats the note.
    const { payment } = await bought()
    const payments = await store.container
      .resolve("payment")
      .listPayments({ payment_session_id: payment.sessionId })
    await admin.post(`/admin/payments/${payments[0]?.id ?? ""}/refund`, { amount: 2_000 })
    const due = await openProblem(store, payment)
    const booked = await act(admin, due, "refunded-outside", { note, amount: "2000" })
    expect(booked.status).toBe(200)

    const { rows: tables } = await run(
      "select table_name as name from information_schema.tables where table_schema = ?",
      ["public"]
    )
    const found: string[] = []
    let masked = 0
    for (const { name } of tables as { name: string }[]) {
      const { rows } = await run(`select row_to_json(t)::text as text from "${name}" t`, [])
      for (const { text } of rows as { text: string }[]) {
        if (/4000\D?0012\D?3456\D?7899/.test(text)) found.push(`${name}: ${text}`)
        if (text.includes("To **** 7899, **** 7899")) masked++
      }
    }
    expect(found).toEqual([])
    expect(masked).toBeGreaterThan(3)
    expect(store.log.join("\n")).not.toMatch(/4000\D?0012\D?3456\D?7899/)
  })
}
