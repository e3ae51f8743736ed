import type {
  PaymentServiceClient,
  SubscriptionListItem,
  SubscriptionPage,
  SubscriptionQuery,
} from "../../service/client"
import { nullIfNotFound, PaymentServiceError } from "../../service/errors"

/** `status` is a numeric code of the service. */
type Filter = Pick<SubscriptionQuery, "status" | "from" | "to">

/** The most calls for one question, however small the service's own pages are. */
const MOST_CALLS = 25
const LONGEST_MS = 30_000

/**
 * A part of the service's list of subscriptions. The specification shows neither how pages are numbered nor their largest size,
 * so the first page is asked for without a number, and each answer's page, size and total are believed.
 *
 * @throws PaymentServiceError when the service does not answer, or refuses the question
 */
export async function listSubscriptions(
  client: PaymentServiceClient,
  { limit, offset, ...filter }: Filter & { limit: number; offset: number }
) {
  const options = { signal: AbortSignal.timeout(LONGEST_MS) }
  const byPosition = new Map<number, SubscriptionListItem | null>()
  // For the list, a 404 means that it is empty.
  const first = await nullIfNotFound(firstPage(client, { ...filter, size: limit }, options))
  if (!first) return { subscriptions: [], unreadable: 0, count: 0, limit }
  let { answer } = first
  const firstNumber = answer.page
  const keep = () => {
    const begin = (answer.page - firstNumber) * sizeOf(answer)
    for (const [index, item] of answer.items.entries()) byPosition.set(begin + index, item)
  }
  keep()
  let position = offset
  for (let calls = 1; ;) {
    while (byPosition.has(position) && position < offset + limit) position++
    const isOver = position >= Math.min(offset + limit, answer.total)
    if (isOver || calls === MOST_CALLS) break
    const page = firstNumber + Math.floor(position / sizeOf(answer))
    const next = await nullIfNotFound(
      client.listSubscriptions({ ...filter, page, size: first.size }, options)
    )
    calls++
    if (!next) break
    answer = next
    keep()
    // A page that lacks the wanted position would be asked for again and again.
    if (!byPosition.has(position)) break
  }
  const found: (SubscriptionListItem | null)[] = []
  for (let at = offset; at < position; at++) found.push(byPosition.get(at) ?? null)
  const subscriptions = found.filter((item) => item !== null)
  const isCut = position < Math.min(offset + limit, answer.total) && found.length > 0
  return {
    subscriptions,
    /** The number of places whose subscription has no readable id, and is left out. */
    unreadable: found.length - subscriptions.length,
    /** The total number, from the service. */
    count: Math.max(answer.total, 0),
    /** The number of places looked at: fewer than were asked for when the service's own pages are very small. */
    limit: isCut ? found.length : limit,
  }
}

/** If the service refuses the size, pages of its default size are asked for. */
async function firstPage(
  client: PaymentServiceClient,
  { size, ...filter }: Filter & { size: number },
  options: { signal: AbortSignal }
) {
  try {
    return { answer: await client.listSubscriptions({ ...filter, size }, options), size }
  } catch (error) {
    if (!(error instanceof PaymentServiceError) || error.kind !== "invalid") throw error
    return { answer: await client.listSubscriptions(filter, options), size: undefined }
  }
}

const sizeOf = ({ size, items }: SubscriptionPage) => Math.max(size, items.length, 1)
