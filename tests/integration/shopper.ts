import type { TransactionRow } from "../../src/modules/payment-service"
import { eventually } from "./eventually"
import type { TestStore } from "./store"

/** A shopper's requests, as a storefront makes them. */

export interface OpenPayment {
  cartId: string
  collectionId: string
  sessionId: string
  data: {
    transaction_id: string
    redirect: string
    method: string
    amount: string
    currency: string
    expires_at: string | null
    usdt_rate: string | null
    session_id: string
    [key: string]: unknown
  }
}

export interface Cart {
  id: string
  total: number
  completed_at?: string | null
  payment_collection?: {
    id: string
    payment_sessions?: {
      id: string
      status: string
      provider_id: string
      data: OpenPayment["data"]
    }[]
  }
}

interface CartWishes {
  variantId?: string
  quantity?: number
  email?: string | null
  freeShipping?: boolean
}

export class Shopper {
  constructor(
    private readonly store: Pick<TestStore, "shop" | "http"> &
      Partial<Pick<TestStore, "readyCarts" | "module">>,
    private readonly token?: string
  ) {}

  /** A cart ready to be paid: one that was there already, if nothing is asked of it. */
  async cart(wishes: CartWishes = {}): Promise<Cart> {
    const isAnyGood = !this.token && Object.keys(wishes).length === 0
    return (isAnyGood && this.store.readyCarts?.shift()) || (await this.newCart(wishes))
  }

  async newCart({
    variantId = "",
    quantity = 1,
    email = "guest@shopper.test",
    freeShipping = false,
  }: CartWishes = {}): Promise<Cart> {
    const created = await this.send<{ cart: Cart }>("post", "/store/carts", {
      region_id: this.store.shop.regionId,
      ...(email ? { email } : {}),
      shipping_address: {
        first_name: "Анна",
        last_name: "Canary-Name",
        address_1: "Тверская 1",
        city: "Москва",
        country_code: "ru",
        postal_code: "101000",
      },
      items: [{ variant_id: variantId || this.store.shop.variantIds[0], quantity }],
    })
    const options = await this.send<{ shipping_options: { id: string; amount: number }[] }>(
      "get",
      `/store/shipping-options?cart_id=${created.cart.id}`
    )
    const option = options.shipping_options.find(({ amount }) => (amount === 0) === freeShipping)
    const { cart } = await this.send<{ cart: Cart }>(
      "post",
      `/store/carts/${created.cart.id}/shipping-methods`,
      { option_id: option?.id }
    )
    return cart
  }

  async collection(cartId: string): Promise<string> {
    const { payment_collection } = await this.send<{ payment_collection: { id: string } }>(
      "post",
      "/store/payment-collections",
      { cart_id: cartId }
    )
    return payment_collection.id
  }

  /** Chooses a way to pay; the answer may be a refusal. */
  async choose(
    collectionId: string,
    method: "sbp" | "crypto",
    data?: unknown,
    { account = "main", headers = {} }: { account?: string; headers?: Record<string, string> } = {}
  ) {
    return await this.raw(
      "post",
      `/store/payment-collections/${collectionId}/payment-sessions`,
      { provider_id: `pp_${method}_${account}`, ...(data ? { data } : {}) },
      headers
    )
  }

  /** Chooses a way to pay for a cart and expects it to open. */
  async open(
    cartId: string,
    method: "sbp" | "crypto" = "sbp",
    data?: unknown,
    how?: Parameters<Shopper["choose"]>[3]
  ): Promise<OpenPayment> {
    return await this.openIn(await this.collection(cartId), cartId, method, data, how)
  }

  /** The same in a collection that is known already, such as an order's. */
  async openIn(
    collectionId: string,
    cartId: string,
    method: "sbp" | "crypto" = "sbp",
    data?: unknown,
    how?: Parameters<Shopper["choose"]>[3]
  ): Promise<OpenPayment> {
    const answer = await this.choose(collectionId, method, data, how)
    if (answer.status !== 200) {
      throw new Error(
        `Choosing ${method} answered ${answer.status}: ${JSON.stringify(answer.data)}`
      )
    }
    const { payment_collection } = answer.data as { payment_collection: Cart["payment_collection"] }
    const session = payment_collection?.payment_sessions?.[0]
    if (!session) throw new Error("No session was made")
    return { cartId, collectionId, sessionId: session.id, data: session.data }
  }

  async checkout(method: "sbp" | "crypto" = "sbp", cart?: CartWishes): Promise<OpenPayment> {
    const { id, payment_collection } = await this.cart(cart)
    return await this.openIn(payment_collection?.id ?? (await this.collection(id)), id, method)
  }

  async complete(cartId: string) {
    return await this.raw("post", `/store/carts/${cartId}/complete`, {})
  }

  /** Completes a cart and expects its order; answers the order's id. */
  async place({ cartId }: Pick<OpenPayment, "cartId">): Promise<string> {
    const answer = await this.complete(cartId)
    expect(answer).toMatchObject({ status: 200, data: { type: "order" } })
    return (answer.data as { order: { id: string } }).order.id
  }

  async poll(sessionId: string) {
    return await this.raw("get", `/store/payment-service/sessions/${sessionId}`)
  }

  async addItem(cartId: string, variant = 0) {
    return await this.raw("post", `/store/carts/${cartId}/line-items`, {
      variant_id: this.store.shop.variantIds[variant],
      quantity: 1,
    })
  }

  async retrieve(cartId: string): Promise<Cart> {
    const { cart } = await this.send<{ cart: Cart }>(
      "get",
      `/store/carts/${cartId}?fields=*payment_collection,*payment_collection.payment_sessions,completed_at`
    )
    return cart
  }

  /** The way back from the service, as any browser comes along it: without cookies or keys. */
  async comeBack(sessionId: string, query = "hint=success", form?: string) {
    // Where the test cannot look for the return id, the session's does: whoever has that began the payment.
    const row = await this.store.module?.findBySession(sessionId)
    const answer = await this.store.http.request<unknown>({
      method: form === undefined ? "get" : "post",
      url: `/payment-service/return/${row?.id ?? sessionId}?${query}`,
      data: form,
      headers: { "x-publishable-api-key": null },
    })
    return { status: answer.status, location: String(answer.headers.location ?? "") }
  }

  /**
   * Comes back until core has placed the order of what is known to be paid. The page lets a payer go on after eight seconds, and
   * a busy machine may need longer.
   */
  async land(sessionId: string, query?: string) {
    return await eventually(`the order of ${sessionId}`, async () => {
      const back = await this.comeBack(sessionId, query)
      return !/\/wait\?.*state=paid$/.test(back.location) && back
    })
  }

  async raw(
    method: "get" | "post",
    address: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ) {
    return await this.store.http.request<unknown>({
      method,
      url: address,
      ...(body === undefined ? {} : { data: body }),
      headers: { ...(this.token ? { authorization: `Bearer ${this.token}` } : {}), ...headers },
    })
  }

  private async send<T>(method: "get" | "post", address: string, body?: unknown): Promise<T> {
    const answer = await this.raw(method, address, body)
    if (answer.status !== 200) {
      throw new Error(
        `${method} ${address} answered ${answer.status}: ${JSON.stringify(answer.data)}`
      )
    }
    return answer.data as T
  }
}

/** A shopper with an account and a login. */
export async function registeredShopper(
  store: TestStore,
  email: string
): Promise<{ shopper: Shopper; customerId: string }> {
  const login = { email, password: "a-password-of-the-tests" }
  const token = async (address: string) => {
    const { data } = await store.http.post<{ token: string }>(address, login)
    return data.token
  }
  const registering = new Shopper(store, await token("/auth/customer/emailpass/register"))
  const answer = await registering.raw("post", "/store/customers", { email })
  const { customer } = answer.data as { customer: { id: string } }
  const shopper = new Shopper(store, await token("/auth/customer/emailpass"))
  return { shopper, customerId: customer.id }
}

/** Our row of a payment. */
export async function rowOf(
  { module }: TestStore,
  { sessionId }: Pick<OpenPayment, "sessionId">
): Promise<TransactionRow> {
  const row = await module.findBySession(sessionId)
  if (!row) throw new Error(`Session ${sessionId} has no row`)
  return row
}

/** Our row of a payment, as soon as this holds of it. */
export async function rowWhen(
  { module }: Pick<TestStore, "module">,
  { sessionId }: Pick<OpenPayment, "sessionId">,
  holds: (row: TransactionRow) => unknown
): Promise<TransactionRow> {
  return await eventually(`session ${sessionId}: ${holds.toString()}`, async () => {
    const row = await module.findBySession(sessionId)
    return row && holds(row) ? row : null
  })
}

/** Our row of a payment, as soon as something is out of order about it. */
export async function rowWithException(
  store: TestStore,
  payment: Pick<OpenPayment, "sessionId">
): Promise<TransactionRow> {
  return await rowWhen(store, payment, ({ exception }) => exception)
}

/** Waits for our row of a session to be settled. */
export async function settledRow(
  store: Pick<TestStore, "module">,
  sessionId: string
): Promise<TransactionRow> {
  return await rowWhen(store, { sessionId }, (row) => row.settled_at)
}

/** The payer pays, and Medusa has the money as soon as the callback was followed. */
export async function payUntilSettled(
  store: TestStore,
  { data, sessionId }: Pick<OpenPayment, "sessionId" | "data">
): Promise<TransactionRow> {
  await store.simulator.pay(data.transaction_id)
  return await settledRow(store, sessionId)
}

/** A payment that an order took. */
export interface Bought extends OpenPayment {
  orderId: string
  paymentId: string
}

/** The payer pays, and the store has taken it for an order. */
export async function buyWith(store: TestStore, payment: OpenPayment): Promise<Bought> {
  const { order_id: orderId } = await payUntilSettled(store, payment)
  const order = await findOrder(store, orderId ?? "")
  const paymentId = order.payment_collections[0]?.payments[0]?.id ?? ""
  return { ...payment, orderId: order.id, paymentId }
}

/** As soon as a payment is settled, its cart is one order, paid once and in full. */
export async function expectOrderOf(
  store: TestStore,
  payment: Pick<OpenPayment, "sessionId" | "cartId">
) {
  await settledRow(store, payment.sessionId)
  return await expectPaidOrder(store, payment.cartId)
}

/** The payer pays, and the callback leads to the order. */
export async function payToOrder(
  store: TestStore,
  payment: Pick<OpenPayment, "sessionId" | "cartId" | "data">
) {
  await store.simulator.pay(payment.data.transaction_id)
  return await expectOrderOf(store, payment)
}

/** A payment that was paid, and no callback told of it. */
export async function paidUnheard(
  store: TestStore,
  shopper = new Shopper(store)
): Promise<OpenPayment> {
  const payment = await shopper.checkout()
  await store.simulator.pay(payment.data.transaction_id, { callback: false })
  return payment
}

/** The cart became one order, paid once and in full. */
export async function expectPaidOrder(store: Pick<TestStore, "container">, cartId: string) {
  const [orderId, ...others] = await ordersOf(store, cartId)
  expect(others).toEqual([])
  const order = await findOrder(store, orderId ?? "")
  expect(order).toMatchObject({
    payment_collections: [{ status: "completed", payments: [{ captures: [{}] }] }],
    transactions: [{}],
  })
  expect(order.payment_collections[0]?.payments).toHaveLength(1)
  expect(order.payment_collections[0]?.payments[0]?.captures).toHaveLength(1)
  expect(order.transactions).toHaveLength(1)
  expect(Number(order.summary.pending_difference)).toBe(0)
  return order
}

/** Medusa's amounts come as numbers or as objects that turn into one. */
type Amount = number | { valueOf(): unknown }

/** An order with its money, as the dashboard shows it. */
export async function findOrder(store: Pick<TestStore, "container">, orderId: string) {
  const query = store.container.resolve("query")
  const { data } = await query.graph({
    entity: "order",
    fields: [
      "id",
      "status",
      "total",
      "summary.*",
      "payment_collections.id",
      "payment_collections.status",
      "payment_collections.amount",
      "payment_collections.captured_amount",
      "payment_collections.refunded_amount",
      "payment_collections.payments.id",
      "payment_collections.payments.captured_at",
      "payment_collections.payments.captures.amount",
      "transactions.amount",
    ],
    filters: { id: orderId },
  })
  return data[0] as unknown as {
    id: string
    status: string
    total: Amount
    summary: { pending_difference: Amount; paid_total: Amount; refunded_total: Amount }
    payment_collections: {
      id: string
      status: string
      amount: Amount
      captured_amount: Amount
      refunded_amount: Amount | null
      payments: { id: string; captured_at: string | null; captures: { amount: Amount }[] }[]
    }[]
    transactions: { amount: Amount }[]
  }
}

/** Every order of a cart: there must never be two. */
export async function ordersOf(
  store: Pick<TestStore, "container">,
  cartId: string
): Promise<string[]> {
  const query = store.container.resolve("query")
  const { data } = await query.graph({
    entity: "order_cart",
    fields: ["order_id"],
    filters: { cart_id: cartId },
  })
  return (data as unknown as { order_id: string }[]).map(({ order_id }) => order_id)
}
