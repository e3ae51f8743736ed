import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { exactAmount, toDecimalText } from "../settlement/amount"
import type { SessionId } from "../settlement/ids"
import { type Payment, toPayment } from "./payments"

/** A payment session as it is stored now, with the payment that Medusa has made from it. */
export interface Session {
  id: SessionId
  status: string
  /** Decimal text. */
  amount: string
  currency: string
  providerId: string
  collectionId: string
  /** Written by its provider; the data of other providers than ours may come from a browser. */
  data: Record<string, unknown>
  payment: Payment | null
}

/** Null when core has deleted the session. */
export async function findSession(
  container: MedusaContainer,
  id: SessionId
): Promise<Session | null> {
  const [session] = await listSessions(container, { id })
  return session ?? null
}

/** The provider and the collection of a session; null when core has deleted the session. */
export async function findSessionTarget(
  container: MedusaContainer,
  id: SessionId
): Promise<Pick<Session, "providerId" | "collectionId"> | null> {
  const [session] = await container
    .resolve<IPaymentModuleService>(Modules.PAYMENT)
    .listPaymentSessions({ id }, { select: ["provider_id", "payment_collection_id"] })
  return session
    ? { providerId: session.provider_id, collectionId: session.payment_collection_id }
    : null
}

export async function listSessions(
  container: MedusaContainer,
  filters: {
    id?: SessionId
    payment_collection_id?: string | string[]
    provider_id?: string
  }
): Promise<Session[]> {
  const sessions = await container
    .resolve<IPaymentModuleService>(Modules.PAYMENT)
    .listPaymentSessions(filters, { relations: ["payment"] })
  return sessions.map((session) => ({
    id: session.id,
    status: session.status,
    amount: toDecimalText(exactAmount(session)),
    currency: session.currency_code,
    providerId: session.provider_id,
    collectionId: session.payment_collection_id,
    data: session.data,
    payment: session.payment ? toPayment(session.payment) : null,
  }))
}

/** Whether Medusa has made a payment from the session that was not canceled. */
export function holdsPayment({ payment }: Session): boolean {
  return payment !== null && !payment.isCanceled
}
