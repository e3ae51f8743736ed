import type { MedusaContainer } from "@medusajs/framework/types"

import type { SessionId } from "../settlement/ids"
import { type Buyer, findBuyer } from "./buyer"
import { type Cart, findCart, listCarts } from "./cart"
import { type CollectionWithSessions, findCollection } from "./collections"
import { findCartId, findOrderAndCartId, findOrderId, listOrderCollections } from "./links"
import {
  findOrderToPay,
  findUnpaidOrders,
  isBeingChanged,
  listOpenCredits,
  listOrders,
  type OpenCredit,
  type Order,
  type OrderParts,
  type OrderToPay,
} from "./order"
import {
  type Booking,
  listBookings,
  listPayments,
  listRefundsOfSamePayment,
  type OrderBooking,
  type Payment,
  type PaymentParts,
} from "./payments"
import {
  findSession,
  findSessionSubject,
  listSessions,
  type Session,
  type SessionSubject,
} from "./sessions"

type OrderCollection = Awaited<ReturnType<typeof listOrderCollections>>[number]

/** The reads of Medusa that a payment needs. In the model test, a shop in memory answers them. */
export interface MedusaReader {
  findSession(id: SessionId): Promise<Session | null>
  findSessionSubject(id: SessionId): Promise<SessionSubject | null>
  listSessions(filters: Parameters<typeof listSessions>[1]): Promise<Session[]>
  findCollection(id: string): Promise<CollectionWithSessions>
  findCart(collectionId: string): Promise<Cart | null>
  listCarts(ids: string[]): Promise<Cart[]>
  findCartId(collectionId: string): Promise<string | null>
  findOrderId(collectionId: string): Promise<string | null>
  findOrderAndCartId(
    collectionId: string
  ): Promise<{ orderId: string | null; cartId: string | null }>
  listOrderCollections(
    of: Partial<Record<keyof OrderCollection, string | string[]>>
  ): Promise<OrderCollection[]>
  findOrderToPay(collectionId: string): Promise<OrderToPay | null>
  isBeingChanged(orderId: string): Promise<boolean>
  listOpenCredits(orderId: string): Promise<OpenCredit[]>
  findUnpaidOrders(orderIds: string[]): Promise<string[]>
  listOrders<Part extends keyof OrderParts = never>(
    filters: { id: string | string[] },
    parts?: Part[]
  ): Promise<(Order & Pick<OrderParts, Part>)[]>
  listPayments<Part extends keyof PaymentParts = never>(
    filters: { id: string } | { payment_collection_id: string | string[] },
    parts?: Part[]
  ): Promise<(Payment & Pick<PaymentParts, Part>)[]>
  listRefundsOfSamePayment(refundId: string): Promise<Booking[]>
  listBookings(
    orderId: string,
    of: { reference: "capture" | "refund"; reference_id: string[] }
  ): Promise<OrderBooking[]>
  findBuyer(
    of: Parameters<typeof findBuyer>[1],
    wanted: Parameters<typeof findBuyer>[2]
  ): Promise<Buyer>
}

export function medusaReader(container: MedusaContainer): MedusaReader {
  return {
    findSession: (id) => findSession(container, id),
    findSessionSubject: (id) => findSessionSubject(container, id),
    listSessions: (filters) => listSessions(container, filters),
    findCollection: (id) => findCollection(container, id),
    findCart: (collectionId) => findCart(container, collectionId),
    listCarts: (ids) => listCarts(container, ids),
    findCartId: (collectionId) => findCartId(container, collectionId),
    findOrderId: (collectionId) => findOrderId(container, collectionId),
    findOrderAndCartId: (collectionId) => findOrderAndCartId(container, collectionId),
    listOrderCollections: (of) => listOrderCollections(container, of),
    findOrderToPay: (collectionId) => findOrderToPay(container, collectionId),
    isBeingChanged: (orderId) => isBeingChanged(container, orderId),
    listOpenCredits: (orderId) => listOpenCredits(container, orderId),
    findUnpaidOrders: (orderIds) => findUnpaidOrders(container, orderIds),
    listOrders: (filters, parts) => listOrders(container, filters, parts),
    listPayments: (filters, parts) => listPayments(container, filters, parts),
    listRefundsOfSamePayment: (refundId) => listRefundsOfSamePayment(container, refundId),
    listBookings: (orderId, of) => listBookings(container, orderId, of),
    findBuyer: (of, wanted) => findBuyer(container, of, wanted),
  }
}
