import { setTimeout as sleep } from "node:timers/promises"

/** The addresses and keys of the running demo, whose routes are used as a browser uses them. */
export interface RunningShop {
  backend: string
  publishableKey: string
  regionId: string
  variantIds: string[]
  admin: { email: string; password: string }
}

export interface Buyer {
  email: string
  firstName: string
  lastName: string
  city: string
}

export interface Purchase {
  variant: number
  quantity: number
  method: "sbp" | "crypto"
}

/** A payment that a shopper has begun. */
export interface BegunPayment {
  cartId: string
  collectionId: string
  sessionId: string
  transactionId: string
}

interface Collection {
  id: string
  payment_sessions: { id: string; data: { transaction_id: string } }[]
}

const LONGEST_WAIT_MS = 60_000
const LOOK_EVERY_MS = 100

/** Signs in as the demo's admin. */
export async function openShop(shop: RunningShop): Promise<ShopClient> {
  const { token } = await send<{ token: string }>(`${shop.backend}/auth/user/emailpass`, {
    method: "POST",
    body: shop.admin,
  })
  return new ShopClient(shop, token)
}

/** The requests of shoppers and of the admin. */
export class ShopClient {
  private courier: Promise<string> | undefined

  constructor(
    private readonly shop: RunningShop,
    private readonly token: string
  ) {}

  /** From an empty cart to a payment that waits for its payer. */
  async begin(buyer: Buyer, { variant, quantity, method }: Purchase): Promise<BegunPayment> {
    const { regionId, variantIds } = this.shop
    const { cart } = await this.store<{ cart: { id: string } }>("/carts", {
      region_id: regionId,
      email: buyer.email,
      items: [{ variant_id: variantIds[variant], quantity }],
      shipping_address: {
        first_name: buyer.firstName,
        last_name: buyer.lastName,
        address_1: "ул. Садовая, 3",
        city: buyer.city,
        country_code: "ru",
        postal_code: "101000",
      },
    })
    this.courier ??= this.firstShippingOption(cart.id)
    await this.store(`/carts/${cart.id}/shipping-methods`, { option_id: await this.courier })
    const made = await this.store<{ payment_collection: Collection }>("/payment-collections", {
      cart_id: cart.id,
    })
    const { payment_collection } = await this.store<{ payment_collection: Collection }>(
      `/payment-collections/${made.payment_collection.id}/payment-sessions`,
      { provider_id: `pp_${method}_main` }
    )
    const [session] = payment_collection.payment_sessions
    if (!session) throw new Error("Medusa made no payment session.")
    return {
      cartId: cart.id,
      collectionId: payment_collection.id,
      sessionId: session.id,
      transactionId: session.data.transaction_id,
    }
  }

  /** Waits until the shop knows how a payment ended; answers its order, if it has become one. */
  async whenEnded({ sessionId }: BegunPayment): Promise<string | null> {
    return this.eventually(`the end of ${sessionId}`, async () => {
      const { session } = await this.store<{ session: { state: string; order_id: string | null } }>(
        `/payment-service/sessions/${sessionId}`
      )
      const isOver = session.state !== "pending" && (session.state !== "paid" || session.order_id)
      return isOver ? { orderId: session.order_id } : null
    }).then(({ orderId }) => orderId)
  }

  /** As the admin. */
  async asAdmin<T>(path: string, body?: object): Promise<T> {
    return send<T>(`${this.shop.backend}/admin${path}`, {
      method: body ? "POST" : "GET",
      body,
      headers: { authorization: `Bearer ${this.token}` },
    })
  }

  /** Waits until something is there. @throws Error when it does not come */
  async eventually<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
    for (const deadline = Date.now() + LONGEST_WAIT_MS; Date.now() < deadline;) {
      const found = await look()
      if (found) return found
      await sleep(LOOK_EVERY_MS)
    }
    throw new Error(`The demo's history waited in vain for ${what}.`)
  }

  private async firstShippingOption(cartId: string): Promise<string> {
    const { shipping_options: options } = await this.store<{ shipping_options: { id: string }[] }>(
      `/shipping-options?cart_id=${cartId}`
    )
    if (!options[0]) throw new Error("The demo's shop has no way of shipping.")
    return options[0].id
  }

  private async store<T>(path: string, body?: object): Promise<T> {
    return send<T>(`${this.shop.backend}/store${path}`, {
      method: body ? "POST" : "GET",
      body,
      headers: { "x-publishable-api-key": this.shop.publishableKey },
    })
  }
}

/** @throws Error with the answer, when it is a refusal */
async function send<T>(
  address: string,
  request: { method: "GET" | "POST"; body?: object; headers?: Record<string, string> }
): Promise<T> {
  const { method, body, headers } = request
  const answer = await fetch(address, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    body: body && JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status}: ${text}`)
  return (answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text) as T
}
