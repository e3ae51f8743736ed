import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { exactAmount } from "../settlement/amount"
import { toPayment } from "./payments"

/** A payment session as it is stored now, with the payment that Medusa has made from it. */
export type Session = Awaited<ReturnType<typeof listSessions>>[number]

/** Null when core has deleted the session. */
export async function findSession(container: MedusaContainer, id: string) {
  const [session] = await listSessions(container, { id })
  return session ?? null
}

/** The subject of a session: its collection, and the cart and the order that the collection belongs to. */
export interface SessionSubject extends Pick<Session, "providerId" | "collectionId"> {
  cartId: string | null
  orderId: string | null
  /** The name of the store; empty when it has none. */
  storeName: string
}

/**
 * Null when core has deleted the session. One statement on core's tables, because a shopper waits for it: the modules take four
 * reads of a millisecond each.
 */
export async function findSessionSubject(container: MedusaContainer, id: string) {
  const { rows } = await container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)
    .raw<{ rows: SessionSubject[] }>(
      `select session.provider_id as "providerId", session.payment_collection_id as "collectionId",
         of_cart.cart_id as "cartId", of_order.order_id as "orderId",
         coalesce((select name from store where deleted_at is null order by id limit 1), '') as "storeName"
       from payment_session session
       left join cart_payment_collection of_cart
         on of_cart.payment_collection_id = session.payment_collection_id and of_cart.deleted_at is null
       left join order_payment_collection of_order
         on of_order.payment_collection_id = session.payment_collection_id and of_order.deleted_at is null
       where session.id = ? and session.deleted_at is null`,
      [id]
    )
  return rows[0] ?? null
}

export async function listSessions(
  container: MedusaContainer,
  filters: { id?: string; payment_collection_id?: string | string[]; provider_id?: string }
) {
  const sessions = await container
    .resolve(Modules.PAYMENT)
    .listPaymentSessions(filters, { relations: ["payment", "payment_collection"] })
  return sessions.map(({ payment_collection: collection, ...session }) => ({
    id: session.id,
    status: session.status as string,
    /** Decimal text. */
    amount: exactAmount(session),
    currency: session.currency_code,
    providerId: session.provider_id,
    collectionId: session.payment_collection_id,
    /** The sum that its collection asks for: decimal text. */
    collection: {
      amount: exactAmount({ amount: 0, ...collection }),
      currency: collection?.currency_code ?? "",
    },
    /** Written by its provider; the data of other providers than ours may come from a browser. */
    data: session.data,
    payment: session.payment ? toPayment(session.payment) : null,
  }))
}

/** Whether Medusa has made a payment from the session that was not canceled. */
export function holdsPayment({ payment }: Session): boolean {
  return payment !== null && !payment.isCanceled
}
