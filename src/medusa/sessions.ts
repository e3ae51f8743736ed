import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { exactAmount } from "../settlement/amount"
import { toPayment } from "./payments"

/** A payment session as it is stored now, with the payment that Medusa has made from it. */
export type Session = Awaited<ReturnType<typeof listSessions>>[number]

/** Null when core has deleted the session. */
export async function findSession(container: MedusaContainer, id: string) {
  const [session] = await listSessions(container, { id })
  return session ?? null
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
