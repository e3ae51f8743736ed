import pLimit from "p-limit"

import type { Accounts } from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import { merchantAccountId } from "../../settlement/merchant-account"

/** The question to the service. Codes are numeric, as text; an empty list means all. */
export interface ListingQuestion {
  from: Date
  to: Date
  timeZone: string
  statusCodes: string[]
  methodCodes: string[]
}

/** Of two at a time; more would only make each of them slower. */
const turns = new Map<string, pLimit.Limit>()

/** A merchant's records as the service sends them, in batches. */
export function exportOf(
  accounts: Accounts,
  merchant: ConfiguredMerchantAccount,
  { from, to, timeZone: timeZoneId, statusCodes: statuses, methodCodes }: ListingQuestion,
  signal: AbortSignal
): AsyncGenerator<unknown[], void, undefined> {
  const filter = { from, to, timeZoneId, statuses, paymentMethods: methodCodes }
  return inTurn(merchant, signal, () =>
    accounts.clientAt(merchant).exportBatches(filter, { signal })
  )
}

/** A list of a merchant when its turn comes: this process asks for at most two of a merchant at a time. */
export async function* inTurn<T>(
  merchant: ConfiguredMerchantAccount,
  signal: AbortSignal,
  ask: () => AsyncIterable<T>
): AsyncGenerator<T, void, undefined> {
  const end = await turnOf(merchantAccountId(merchant), signal)
  try {
    yield* ask()
  } finally {
    end()
  }
}

/** @returns what ends the turn; it throws as soon as nobody waits for one any more */
async function turnOf(merchant: string, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted()
  const waiting = turns.get(merchant) ?? pLimit(2)
  turns.set(merchant, waiting)
  return await new Promise((begin, giveUp) => {
    signal.addEventListener("abort", () => giveUp(signal.reason as Error), { once: true })
    void waiting(() => (signal.aborted ? undefined : new Promise<void>(begin)))
  })
}
