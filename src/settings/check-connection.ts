import pLimit from "p-limit"

import type { Accounts, PaymentServiceModuleService } from "../modules/payment-service"
import { closeRefusedCredentials, reportRefusedCredentials } from "../payments/read-transaction"
import { messagesOf, refusalOf } from "../refusals/reason-of"
import type { CallOptions } from "../service/client"
import type { NamedAccount } from "./resolve-options"

const MINUTE_MS = 60_000
/** A person waits for the answer. */
const LONGEST_CHECK_MS = 10_000
const AT_A_TIME = 4

/** Asks the service with each account's credentials, without changing anything there. */
export async function checkConnection(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  checked: NamedAccount[]
) {
  const inTurn = pLimit(AT_A_TIME)
  return await Promise.all(
    checked.map((account) => inTurn(() => checkAccount(module, accounts, account)))
  )
}

async function checkAccount(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  { id, options }: NamedAccount
) {
  const client = accounts.client(options)
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
  if (error === null) await closeRefusedCredentials(module, options)
  else await reportRefusedCredentials(module, options, error)

  const signature = options.signingSecret
    ? (await check((call) => client.listCards({}, call))).shown
    : null
  return {
    /** Null in a configuration of one account. */
    account: id,
    merchant_id: options.merchantId,
    base_url: options.baseUrl,
    checked_at: now,
    /** Checks the merchant's secret, by a list of one minute's transactions. */
    credentials,
    /** Checks the signing secret, by the list of saved cards; null when the options have none. */
    signature,
    /** Seconds that the service's clock is ahead of ours; null when its replies have no `Date`. */
    clock_ahead_seconds: ahead,
  }
}
