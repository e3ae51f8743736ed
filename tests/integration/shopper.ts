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

interface Cart {
  id: string
  total: number
  completed_at?: string | null
  payment_collection?: {
    id: string
    payment_sessions?: { id: string; status: string; provider_id: string; data: OpenPayment["data"] }[]
  }
}

export class Shopper {
  constructor(
    private readonly store: TestStore,
    private readonly token?: string
  ) {}

  /** A cart ready to be paid. */
  async cart({ variant = 0, quantity = 1, email = "guest@shopper.test" as string | null } = {}): Promise<Cart> {
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
      items: [{ variant_id: this.store.shop.variantIds[variant], quantity }],
    })
    const options = await this.send<{ shipping_options: { id: string }[] }>(
      "get",
      `/store/shipping-options?cart_id=${created.cart.id}`
    )
    const { cart } = await this.send<{ cart: Cart }>(
      "post",
      `/store/carts/${created.cart.id}/shipping-methods`,
      { option_id: options.shipping_options[0]?.id }
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
  async choose(collectionId: string, method: "sbp" | "crypto", data?: unknown, account = "main") {
    return await this.raw("post", `/store/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: `pp_${method}_${account}`,
      ...(data ? { data } : {}),
    })
  }

  /** Chooses a way to pay for a cart and expects it to open. */
  async open(cartId: string, method: "sbp" | "crypto" = "sbp", data?: unknown): Promise<OpenPayment> {
    const collectionId = await this.collection(cartId)
    const answer = await this.choose(collectionId, method, data)
    if (answer.status !== 200) {
      throw new Error(`Choosing ${method} answered ${answer.status}: ${JSON.stringify(answer.data)}`)
    }
    const { payment_collection } = answer.data as { payment_collection: Cart["payment_collection"] }
    const session = payment_collection?.payment_sessions?.[0]
    if (!session) throw new Error("No session was made")
    return { cartId, collectionId, sessionId: session.id, data: session.data }
  }

  async checkout(method: "sbp" | "crypto" = "sbp", cart?: Parameters<Shopper["cart"]>[0]): Promise<OpenPayment> {
    return await this.open((await this.cart(cart)).id, method)
  }

  async complete(cartId: string) {
    return await this.raw("post", `/store/carts/${cartId}/complete`, {})
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

  async raw(method: "get" | "post", address: string, body?: unknown) {
    return await this.store.http.request<unknown>({
      method,
      url: address,
      ...(body === undefined ? {} : { data: body }),
      headers: this.token ? { authorization: `Bearer ${this.token}` } : {},
    })
  }

  private async send<T>(method: "get" | "post", address: string, body?: unknown): Promise<T> {
    const answer = await this.raw(method, address, body)
    if (answer.status !== 200) {
      throw new Error(`${method} ${address} answered ${answer.status}: ${JSON.stringify(answer.data)}`)
    }
    return answer.data as T
  }
}

/** An order with its money, as the dashboard shows it. */
export async function findOrder(store: TestStore, orderId: string) {
  const query = store.container.resolve("query")
  const { data } = await query.graph({
    entity: "order",
    fields: [
      "id",
      "status",
      "total",
      "payment_status",
      "summary.*",
      "payment_collections.status",
      "payment_collections.captured_amount",
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
    total: number
    summary: { pending_difference: number; paid_total: number }
    payment_collections: {
      status: string
      payments: { id: string; captured_at: string | null; captures: { amount: number }[] }[]
    }[]
    transactions: { amount: number }[]
  }
}

/** Every order of a cart: there must never be two. */
export async function ordersOf(store: TestStore, cartId: string): Promise<string[]> {
  const query = store.container.resolve("query")
  const { data } = await query.graph({
    entity: "order_cart",
    fields: ["order_id"],
    filters: { cart_id: cartId },
  })
  return (data as unknown as { order_id: string }[]).map(({ order_id }) => order_id)
}
