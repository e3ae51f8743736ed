import type { IPaymentModuleService, IPaymentProvider } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

import { logIn } from "../admin"
import { editOrder } from "../order-edits"
import {
  expectPaidOrder,
  findOrder,
  type OpenPayment,
  payUntilSettled,
  rowOf,
  Shopper,
} from "../shopper"
import { eventually, type TestStore } from "../store"

/** Medusa's calls of a payment provider, made through its own payment module. */
export function askingTheProvider(store: TestStore): void {
  const shopper = new Shopper(store)

  it("keeps a session's sum, whatever its status becomes: another sum needs another session", async () => {
    const payment = await shopper.checkout()
    const before = await payments(store).retrievePaymentSession(payment.sessionId)
    const update = (amount: number) =>
      payments(store).updatePaymentSession({
        id: payment.sessionId,
        data: before.data,
        amount,
        currency_code: "rub",
        status: "canceled",
      })
    await expect(update(1234.5)).rejects.toThrow("start the payment again")
    expect((await update(Number(before.amount))).data).toEqual(before.data)
    const after = await payments(store).retrievePaymentSession(payment.sessionId)
    expect(after).toMatchObject({ amount: before.amount, status: "canceled" })
    expect(store.simulator.requests({ on: "create" })).toHaveLength(1)
  })

  it("answers from the service and not from what is stored, and throws when it cannot be read (promise 1)", async () => {
    const payment = await shopper.checkout()
    const provider = providerOf(store)
    const status = async () => (await provider.getPaymentStatus({ data: payment.data })).status
    expect(await status()).toBe("pending")
    await store.simulator.decline(payment.data.transaction_id, { callback: false })
    expect(await status()).toBe("canceled")
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    expect(await status()).toBe("captured")
    const { data } = await provider.retrievePayment({ data: payment.data })
    expect(data).toMatchObject({ ...payment.data, status: "CONFIRMED" })

    store.simulator.fault({ on: "get", kind: "status", status: 500, times: Infinity })
    await expect(status()).rejects.toThrow("does not answer at the moment")
  })

  it("cancels what is unpaid without a word to the service, and refuses to cancel what is paid (promise 3)", async () => {
    const [unpaid, paid] = [await shopper.checkout(), await shopper.checkout()]
    const cancel = (payment: OpenPayment) => providerOf(store).cancelPayment({ data: payment.data })
    expect((await cancel(unpaid)).data).toEqual(unpaid.data)
    await store.simulator.pay(paid.data.transaction_id, { callback: false })
    await expect(cancel(paid)).rejects.toThrow("has been paid and cannot be canceled")
  })

  it("captures nothing that is not proven, and keeps the data of what is (promise 1)", async () => {
    const payment = await shopper.checkout()
    const capture = () => providerOf(store).capturePayment({ data: payment.data })
    await expect(capture()).rejects.toThrow("has not confirmed")
    await payUntilSettled(store, payment)
    expect(await capture()).toEqual({ data: payment.data })
    await expectPaidOrder(store, payment.cartId)
  })

  it("sends the payer of a second sales channel's cart, and of its order's link, to that channel's shop window, and names that shop", async () => {
    const admin = await logIn(store)
    const made = await admin.post("/admin/sales-channels", { name: "Second" })
    const { id: channelId } = made.data.sales_channel as { id: string }
    const { data: first } = await admin.get("/admin/products?fields=id")
    const products = (first.products as { id: string }[]).map(({ id }) => id)
    await admin.post(`/admin/sales-channels/${channelId}/products`, { add: products })
    const { data: held } = await admin.get("/admin/stock-locations")
    for (const { id } of held.stock_locations as { id: string }[]) {
      await admin.post(`/admin/stock-locations/${id}/sales-channels`, { add: [channelId] })
    }
    const keyed = await admin.post("/admin/api-keys", { title: "Second", type: "publishable" })
    const key = keyed.data.api_key as { id: string; token: string }
    await admin.post(`/admin/api-keys/${key.id}/sales-channels`, { add: [channelId] })
    const pages = {
      successUrl: "https://second.test/ok",
      failureUrl: "https://second.test/{country_code}/no",
    }
    await store.restartModule({ storefronts: { [channelId]: { ...pages, name: "Second Shop" } } })

    store.simulator.clearRequests()
    const headers = { "x-publishable-api-key": key.token }
    const answer = await shopper.raw(
      "post",
      "/store/carts",
      {
        region_id: store.shop.regionId,
        email: "second@shopper.test",
        items: [{ variant_id: store.shop.variantIds[0], quantity: 1 }],
      },
      headers
    )
    const { cart } = answer.data as { cart: { id: string; sales_channel_id: string } }
    expect(cart.sales_channel_id).toBe(channelId)
    const payment = await shopper.open(cart.id, "sbp", undefined, { headers })
    const backOf = async ({ sessionId }: OpenPayment) =>
      (await shopper.comeBack(sessionId)).location
    expect(await backOf(payment)).toBe("https://second.test/ru/no")
    const ofFirst = await shopper.checkout()
    expect(await backOf(ofFirst)).not.toContain("second.test")
    const shops = store.simulator
      .requests({ on: "create" })
      .map((request) => JSON.stringify(request).includes("Second Shop: "))
    expect(shops).toEqual([true, false])

    // An order of that channel, and the link for what it is owed.
    const { order_id: orderId } = await payUntilSettled(store, ofFirst)
    await store.container
      .resolve(Modules.ORDER)
      .updateOrders([{ id: orderId ?? "", sales_channel_id: channelId }])
    await editOrder(store, admin, orderId ?? "", { add: 1 })
    const { payment_collections } = await findOrder(store, orderId ?? "")
    const rest = payment_collections.find(({ status }) => status === "not_paid")
    const link = await shopper.openIn(rest?.id ?? "", "")
    expect(await backOf(link)).toBe("https://second.test/ru/no")
    await store.simulator.pay(link.data.transaction_id, { callback: false })
    await eventually("the payer lands right", async () => {
      return (await backOf(link)) === "https://second.test/ok"
    })
  })

  it("sends the payer of a digital cart to the country of its bill", async () => {
    const { regionId: region_id, variantIds } = store.shop
    await updateRegionsWorkflow(store.container).run({
      input: { selector: { id: region_id }, update: { countries: ["ru", "kz"] } },
    })
    const made = await store.http.post<{ cart: { id: string } }>("/store/carts", {
      region_id,
      email: "digital@shopper.test",
      items: [{ variant_id: variantIds[0], quantity: 1 }],
      billing_address: { country_code: "kz" },
    })
    const payment = await shopper.open(made.data.cart.id, "sbp")
    const address = "https://shop.test/{country_code}/back?of={return_id}"
    await store.restartModule({ successUrl: address, failureUrl: address, pendingUrl: address })
    expect((await shopper.comeBack(payment.sessionId)).location).toBe(
      `https://shop.test/kz/back?of=${(await rowOf(store, payment)).id}`
    )
  })
}

function payments(store: TestStore): IPaymentModuleService {
  return store.container.resolve<IPaymentModuleService>(Modules.PAYMENT)
}

/** The provider as the payment module holds it. */
function providerOf(store: TestStore): IPaymentProvider {
  const held = payments(store) as unknown as {
    paymentProviderService_: { retrieveProvider(id: string): IPaymentProvider }
  }
  return held.paymentProviderService_.retrieveProvider("pp_sbp_main")
}
