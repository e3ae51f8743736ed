import { isOpen, type SessionLike } from "./methods.js"
import { readerOf, type ReaderSource } from "./reader.js"

interface AnsweredCollection {
  payment_collection: { id: string; payment_sessions?: SessionLike[] | null }
}

type PayFor = { cartId: string } | { collectionId: string }

/** One request at a time for the same target: a double click, or two panels, share it. */
const underWay = new Map<string, { providerId: string; session: Promise<string> }>()

/**
 * Begins a payment and returns its session's id. The store resumes an open payment of the same method and sum instead of
 * beginning another, and refuses when the target is paid already.
 *
 * @param payFor the cart, or the payment collection of an order
 * @param providerId one of the plugin's, `pp_<method>_<account>`
 * @throws the reader's error; its message is the store's sentence for the shopper
 */
export function startPayment(
  source: ReaderSource,
  payFor: PayFor,
  providerId: string
): Promise<string> {
  const key = "cartId" in payFor ? payFor.cartId : payFor.collectionId
  const before = underWay.get(key)
  if (before?.providerId === providerId) {
    return before.session
  }
  const begun = () => begin(source, payFor, providerId)
  // Another method waits for the earlier request, whose session it replaces.
  const session = (before ? before.session.then(begun, begun) : begun()).finally(() => {
    if (underWay.get(key)?.session === session) {
      underWay.delete(key)
    }
  })
  underWay.set(key, { providerId, session })
  return session
}

async function begin(source: ReaderSource, payFor: PayFor, providerId: string): Promise<string> {
  const { client } = readerOf(source)
  const collectionId =
    "collectionId" in payFor
      ? payFor.collectionId
      : (
          await client.fetch<AnsweredCollection>("/store/payment-collections", {
            method: "POST",
            body: { cart_id: payFor.cartId },
          })
        ).payment_collection.id
  const { payment_collection: filled } = await client.fetch<AnsweredCollection>(
    `/store/payment-collections/${encodeURIComponent(collectionId)}/payment-sessions`,
    { method: "POST", body: { provider_id: providerId } }
  )
  const session = (filled.payment_sessions ?? [])
    .filter((each) => each.provider_id === providerId && isOpen(each))
    .at(-1)
  if (!session) {
    throw new Error(`The store created no payment session for ${providerId}.`)
  }
  return session.id
}
