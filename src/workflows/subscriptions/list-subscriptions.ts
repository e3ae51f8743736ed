import type { PaymentServiceClient, SubscriptionListItem } from "../../service/client"
import { PaymentServiceError } from "../../service/errors"

interface Question {
  /** Numeric code of the service. */
  status?: number
  from?: Date
  to?: Date
  limit: number
  offset: number
}

interface FoundSubscriptions {
  subscriptions: SubscriptionListItem[]
  /** How many there are in all, as the service says. */
  count: number
  /** How many were looked for: fewer than were asked for when the service's own pages are very small. */
  limit: number
}

/** Calls for one question, however small the service's own pages are. */
const MOST_CALLS = 25
const LONGEST_MS = 30_000

/**
 * A part of the service's list of subscriptions. How the service numbers its pages and how many it gives at most is not
 * known, so the first page is asked for without a number, and the page, size and total of each answer are believed.
 *
 * @throws PaymentServiceError when the service does not answer, or refuses the question
 */
export async function listSubscriptions(
  client: PaymentServiceClient,
  { limit, offset, ...filter }: Question
): Promise<FoundSubscriptions> {
  const options = { signal: AbortSignal.timeout(LONGEST_MS) }
  const byPosition = new Map<number, SubscriptionListItem>()
  const first = await orNothing(firstPage(client, { ...filter, size: limit }, options))
  if (!first) {
    return { subscriptions: [], count: 0, limit }
  }
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
    const next = await orNothing(
      client.listSubscriptions({ ...filter, page, size: first.size }, options)
    )
    calls++
    if (!next) break
    answer = next
    keep()
    // A page that does not have what it was asked for would be asked for again and again.
    if (!byPosition.has(position)) break
  }
  const subscriptions: SubscriptionListItem[] = []
  for (let at = offset; at < position; at++) {
    const item = byPosition.get(at)
    if (item) subscriptions.push(item)
  }
  const isCut = position < Math.min(offset + limit, answer.total) && subscriptions.length > 0
  return {
    subscriptions,
    count: Math.max(answer.total, 0),
    limit: isCut ? subscriptions.length : limit,
  }
}

type Page = Awaited<ReturnType<PaymentServiceClient["listSubscriptions"]>>

/** When the service refuses the size, it is asked for pages of whatever size it gives by itself. */
async function firstPage(
  client: PaymentServiceClient,
  { size, ...filter }: Omit<Question, "limit" | "offset"> & { size: number },
  options: { signal: AbortSignal }
): Promise<{ answer: Page; size: number | undefined }> {
  try {
    return { answer: await client.listSubscriptions({ ...filter, size }, options), size }
  } catch (error) {
    if (!(error instanceof PaymentServiceError) || error.kind !== "invalid") throw error
    return { answer: await client.listSubscriptions(filter, options), size: undefined }
  }
}

const sizeOf = ({ size, items }: Page) => Math.max(size, items.length, 1)

/** A 404 of the list says that there is nothing to list. */
async function orNothing<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  return await asking.catch((error: unknown) => {
    if (error instanceof PaymentServiceError && error.kind === "not_found") return null
    throw error
  })
}
