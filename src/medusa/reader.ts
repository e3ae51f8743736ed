import type { MedusaContainer } from "@medusajs/framework/types"

import { findBuyer } from "./buyer"
import { findCart, listCarts } from "./cart"
import { findCartId, findOrderAndCartId, findOrderId, listOrderCollections } from "./links"
import {
  isBeingChanged,
  listOpenCredits,
  listOrders,
  findOrderMoney,
  findSumOfNewOrder,
  listOrderMoney,
} from "./order"
import {
  listBookings,
  listPayments,
  findSession,
  findSessionSubject,
  listSessions,
} from "./payments"

/** The reads of Medusa that a payment needs. */
export type MedusaReader = ReturnType<typeof medusaReader>

export function medusaReader(container: MedusaContainer) {
  return {
    findSession: (id: string) => findSession(container, id),
    findSessionSubject: (id: string) => findSessionSubject(container, id),
    listSessions: (filters: Parameters<typeof listSessions>[1]) => listSessions(container, filters),
    findCart: (collectionId: string) => findCart(container, collectionId),
    listCarts: (ids: string[]) => listCarts(container, ids),
    findCartId: (collectionId: string) => findCartId(container, collectionId),
    findOrderId: (collectionId: string) => findOrderId(container, collectionId),
    findOrderAndCartId: (collectionId: string) => findOrderAndCartId(container, collectionId),
    listOrderCollections: (of: Parameters<typeof listOrderCollections>[1]) =>
      listOrderCollections(container, of),
    findOrderMoney: (collectionId: string) => findOrderMoney(container, collectionId),
    findSumOfNewOrder: (collectionId: string) => findSumOfNewOrder(container, collectionId),
    listOrderMoney: (ids: string[]) => listOrderMoney(container, ids),
    isBeingChanged: (orderId: string) => isBeingChanged(container, orderId),
    listOpenCredits: (orderId: string) => listOpenCredits(container, orderId),
    listOrders: (of: Parameters<typeof listOrders>[1]) => listOrders(container, of),
    listPayments: (filters: { id: string } | { payment_collection_id: string | string[] }) =>
      listPayments(container, filters),
    listBookings: (
      orderId: string,
      of: { reference: "capture" | "refund"; reference_id: string[] }
    ) => listBookings(container, orderId, of),
    findBuyer: (of: Parameters<typeof findBuyer>[1]) => findBuyer(container, of),
  }
}
