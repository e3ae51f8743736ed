import pLimit from "p-limit"

import type { Accounts } from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import { refused } from "../../modules/payment-service/refused-deed"
import type { ExportFilter } from "../../service/client"
import type { OddTransaction } from "../../service/schemas"
import { merchantAccountId } from "../../settlement/merchant-account"

/** The question to the service: a span, a time zone, and numeric codes as text, of which none means all. */
export type ListingQuestion = Required<ExportFilter>

/** Of two at a time; more would only make each of them slower. */
const turns = new Map<string, pLimit.Limit>()

/** A person does not wait for a turn for longer. */
const LONGEST_WAIT_MS = 30_000

/** A merchant's records in batches, as the service sends them. Of one merchant, this process asks for two lists at a time. */
export async function* exportOf(
  accounts: Accounts,
  merchant: ConfiguredMerchantAccount,
  question: ListingQuestion,
  signal: AbortSignal,
  waitMs = LONGEST_WAIT_MS
): AsyncGenerator<unknown[], void, undefined> {
  const end = await turnOf(merchantAccountId(merchant), signal, waitMs)
  try {
    yield* accounts.clientAt(merchant).exportTransactions(question, { signal })
  } finally {
    end()
  }
}

/** Records that are not as specified: their number, and what is wrong with the first. */
export type UnreadableRecords = NonNullable<ReturnType<typeof unreadableIn>>

export function unreadableIn([first, ...others]: OddTransaction[]) {
  if (!first) return null
  const { field, reason } = first.odd
  return { reason: `A record's ${field || "shape"} ${reason}`, unreadable: 1 + others.length }
}

/** @returns what ends the turn; it throws as soon as nobody waits for one any more */
async function turnOf(merchant: string, gone: AbortSignal, waitMs: number): Promise<() => void> {
  gone.throwIfAborted()
  const signal = AbortSignal.any([gone, AbortSignal.timeout(waitMs)])
  const inTurn = turns.get(merchant) ?? pLimit(2)
  turns.set(merchant, inTurn)
  return await new Promise((begin, fail) => {
    const giveUp = () => fail(gone.aborted ? (gone.reason as Error) : refused("lists_under_way"))
    signal.addEventListener("abort", giveUp, { once: true })
    void inTurn(() => (signal.aborted ? undefined : new Promise<void>(begin)))
  })
}
