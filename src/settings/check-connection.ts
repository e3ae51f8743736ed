import type { Accounts, PaymentServiceModuleService } from "../modules/payment-service"
import { closeRefusedCredentials, reportRefusedCredentials } from "../payments/read-transaction"
import { messagesOf, refusalOf } from "../refusals/refused"
import type { CallOptions, PaymentServiceClient } from "../service/client"
import { readRecord } from "../service/schemas"

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS
const MOST_RECORDS = 1_000
const LONGEST_CHECK_MS = 10_000

/** Asks the service with an account's credentials, without changing anything there. */
export async function checkAccount(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  { id, connection }: ReturnType<Accounts["connections"]>[number]
) {
  const client = accounts.client(connection)
  const now = module.clock.now()
  let ahead = null as number | null
  // The outcome is `accepted`, or the code of the reason for another one; `http_status` is null when no reply came.
  const check = async (ask: (options: CallOptions) => Promise<unknown>) => {
    let http_status = null as number | null
    const call: CallOptions = {
      timeoutMs: LONGEST_CHECK_MS,
      retries: 0,
      signal: AbortSignal.timeout(LONGEST_CHECK_MS),
      onReply: ({ httpStatus, clockAheadSeconds }) => {
        http_status = httpStatus
        if (clockAheadSeconds !== null) ahead = 0 - clockAheadSeconds
      },
    }
    try {
      await ask(call)
      const shown = { outcome: "accepted", detail: null, messages: null, http_status }
      return { error: null, shown }
    } catch (error) {
      const { code: outcome, detail } = refusalOf(error)
      return { error, shown: { outcome, detail, messages: messagesOf(error), http_status } }
    }
  }

  const { error, shown: credentials } = await check(async (call) => {
    const span = { from: new Date(now.getTime() - MINUTE_MS), to: now }
    // Takes no turn among the merchant's lists: the first records prove access, and a person waits for it.
    for await (const _ of client.exportTransactions(span, call)) break
  })
  if (error === null) await closeRefusedCredentials(module, connection)
  // An account that takes no payments yet is being set up, and whoever does that sees the answer.
  else if (accounts.named.some(({ options }) => options === connection)) {
    await reportRefusedCredentials(module, connection, error)
  }

  const statuses = error === null ? await statusesOfTheWeek(client, now) : []
  const signature = connection.signingSecret
    ? (await check((call) => client.listCards({}, call))).shown
    : null
  return {
    account: id,
    merchant_id: connection.merchantId,
    base_url: connection.baseUrl,
    checked_at: now,
    credentials,
    /** The statuses of the last week's transactions, at most the first thousand, each with how often it was there. */
    statuses,
    /** Of the signing secret; null when the options have none. */
    signature,
    /** Seconds that the service's clock is ahead of ours; null when its replies have no `Date`. */
    clock_ahead_seconds: ahead,
  }
}

/** A list that breaks off, or takes long, shows fewer statuses: it proves nothing about the credentials. */
async function statusesOfTheWeek(client: PaymentServiceClient, now: Date) {
  const counts = new Map<string, number>()
  const span = { from: new Date(now.getTime() - WEEK_MS), to: now }
  const call: CallOptions = { retries: 0, signal: AbortSignal.timeout(LONGEST_CHECK_MS) }
  let read = 0
  try {
    for await (const records of client.exportTransactions(span, call)) {
      for (const { status } of records.map(readRecord)) {
        if (status) counts.set(status, (counts.get(status) ?? 0) + 1)
      }
      read += records.length
      if (read >= MOST_RECORDS) break
    }
  } catch {
    // The client has logged why.
  }
  return [...counts].map(([status, count]) => ({ status, count }))
}
