import { MedusaReader } from "../../../src/medusa/reader"
import { type OpenPayment, payUntilSettled, Shopper } from "../shopper"
import { type TestStore, withOptions } from "../store"

type Told = Record<string, unknown> & { state: string; order_id: string | null }
const UNKNOWN = { state: "unknown", order_id: null }

/** Core's store API answers name, e-mail and street for an order's id, so that only the payer's own browser may learn it (promise 22). */
export function returnAddress(store: TestStore): void {
  const shopper = new Shopper(store)

  const told = async (id: string, query = "") => {
    const { data } = await shopper.raw("get", `/store/payment-service/sessions/${id}${query}`)
    // A session between the first and the current one is known no more.
    return (data as { session?: Told }).session ?? UNKNOWN
  }
  const rowOf = async ({ sessionId }: OpenPayment) => (await store.module.findBySession(sessionId))!
  const numberOf = async (orderId: string) => {
    const [order] = await new MedusaReader(store.container).listOrderMoney([orderId])
    return order?.displayId
  }

  it("tells the service and other browsers no id of cart, order or session", async () => {
    const payment = await shopper.checkout()
    const { id } = await rowOf(payment)
    const body = store.simulator.requests({ on: "create" }).at(-1)?.body
    const secrets = [payment.cartId, payment.sessionId, payment.collectionId]
    for (const secret of secrets) expect(body).not.toContain(secret)
    expect(body).toContain(`/payment-service/return/${id}?`)

    const waiting = await told(id)
    expect(waiting).toMatchObject({ state: "pending", amount: "2290.00", qr: null, redirect: null })
    expect((await shopper.choose(payment.collectionId, "crypto")).status).toBe(200)
    const { order_id: orderId } = await payUntilSettled(store, payment)
    const paid = await told(id)
    expect(paid).toMatchObject({ state: "paid", order_display_id: await numberOf(orderId ?? "") })
    const landing = await shopper.comeBack(payment.sessionId)
    for (const answer of [waiting, paid, await told(id, "?cart_id=cart_of_another"), landing]) {
      for (const secret of [...secrets, orderId ?? ""]) {
        expect(JSON.stringify(answer)).not.toContain(secret)
      }
    }
    // The panel left the session in the browser that began the payment; the shop's loaded page may know the cart.
    expect((await told(payment.sessionId)).order_id).toBe(orderId)
    expect((await told(id, `?cart_id=${payment.cartId}`)).order_id).toBe(orderId)
  })

  describe("of an order that was placed before its payment", () => {
    withOptions(store, () => ({ orderPlacement: "before_payment" }))

    it("is kept from whoever has its payment link, also with an attempt that was replaced before", async () => {
      const replaced = await shopper.checkout("crypto")
      const payment = await shopper.open(replaced.cartId)
      const orderId = await shopper.place(payment)
      const address = `/store/payment-service/payment-collections/${payment.collectionId}`
      const linkOf = async () => {
        const { data } = await shopper.raw("get", address)
        return (data as { payment_collection: { session_id: string } }).payment_collection
      }
      const ofLink = `?payment_collection_id=${payment.collectionId}`
      const link = await linkOf()
      const seen: unknown[] = [
        link,
        await told(link.session_id),
        await told(link.session_id, ofLink),
      ]
      expect(seen[1]).toMatchObject({ qr: null })
      expect(seen[2]).toMatchObject({ state: "pending", qr: expect.any(String) })
      expect((await told(payment.sessionId)).order_id).toBe(orderId)

      const resumed = await shopper.openIn(payment.collectionId, "")
      expect(resumed.data.transaction_id).toBe(payment.data.transaction_id)
      seen.push(resumed.data, await told(resumed.sessionId))
      const another = await shopper.openIn(payment.collectionId, "", "crypto")
      expect(another.data.transaction_id).toBe(replaced.data.transaction_id)
      seen.push(another.data, await told(another.sessionId), await linkOf())
      const back = await shopper.openIn(payment.collectionId, "")
      seen.push(await told(another.sessionId), await told(back.sessionId))
      await payUntilSettled(store, back)
      for (const { sessionId } of [another, resumed, back]) seen.push(await told(sessionId))
      expect(seen.at(-1)).toMatchObject({
        state: "paid",
        order_display_id: await numberOf(orderId),
      })
      for (const answer of seen) expect(JSON.stringify(answer)).not.toContain(orderId)
      // The sessions that began the cart's payments are told, whichever attempt was paid.
      for (const own of [payment, replaced]) {
        expect((await told(own.sessionId)).order_id).toBe(orderId)
      }
      const ofCart = await told((await rowOf(payment)).id, `?cart_id=${payment.cartId}`)
      expect(ofCart.order_id).toBe(orderId)
    })
  })
}
