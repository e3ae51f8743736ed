import pLimit from "p-limit"

import type { Accounts, PaymentServiceModuleService } from "../../modules/payment-service"
import type { NamedAccount } from "../../modules/payment-service/accounts"
import { messagesOf, refusalOf } from "../../modules/payment-service/reason-of"
import type { CallOptions } from "../../service/client"
import type { RefusalCode } from "../../settlement/problems/refusals"
import type { Text } from "../../texts"
import {
  closeRefusedCredentials,
  reportRefusedCredentials,
} from "../../transactions/read-transaction"

/** The answer of the service to a question of ours. */
interface CheckResult {
  /** `accepted`, or the code of the reason for another outcome. */
  outcome: "accepted" | RefusalCode
  /** The reason in English, and in each language. */
  detail: string | null
  messages: Text | null
  /** Null when no reply came. */
  http_status: number | null
}

interface AccountCheck {
  /** Null in a configuration of one account. */
  account: string | null
  merchant_id: string
  base_url: string
  checked_at: Date
  /** Checks the merchant's secret, by a list of one minute's transactions. */
  credentials: CheckResult
  /** Checks the signing secret, by the list of saved cards; null when the options have none. */
  signature: CheckResult | null
  /** Seconds that the service's clock is ahead of ours; null when its replies have no `Date`. */
  clock_ahead_seconds: number | null
}

const MINUTE_MS = 60_000
/** A person waits for the answer. */
const LONGEST_CHECK_MS = 10_000
const AT_A_TIME = 4

/** Asks the service with each account's credentials, without changing anything there. */
export async function checkConnection(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  checked: NamedAccount[]
): Promise<AccountCheck[]> {
  const inTurn = pLimit(AT_A_TIME)
  return await Promise.all(
    checked.map((account) => inTurn(() => checkAccount(module, accounts, account)))
  )
}

async function checkAccount(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  { id, options }: NamedAccount
): Promise<AccountCheck> {
  const client = accounts.client(options)
  const now = module.clock.now()
  let ahead: number | null = null
  const check = async (ask: (options: CallOptions) => Promise<void>): Promise<Checked> => {
    let httpStatus: number | null = null
    const call: CallOptions = {
      timeoutMs: LONGEST_CHECK_MS,
      retries: 0,
      signal: AbortSignal.timeout(LONGEST_CHECK_MS),
      onReply: (reply) => {
        httpStatus = reply.httpStatus
        if (reply.clockAheadSeconds !== null) ahead = 0 - reply.clockAheadSeconds
      },
    }
    try {
      await ask(call)
      const none = { error: null, detail: null, messages: null }
      return { ...none, outcome: "accepted", http_status: httpStatus }
    } catch (error) {
      const { code, detail } = refusalOf(error)
      const messages = messagesOf(error)
      return { error, outcome: code, detail, messages, http_status: httpStatus }
    }
  }

  const { error, ...credentials } = await check(async (call) => {
    const span = { from: new Date(now.getTime() - MINUTE_MS), to: now }
    // Takes no turn among the merchant's lists: the first records prove access, and a person waits for it.
    for await (const _ of client.exportTransactions(span, call)) break
  })
  if (error === null) await closeRefusedCredentials(module, options)
  else await reportRefusedCredentials(module, options, error)

  let signature: CheckResult | null = null
  if (options.signingSecret !== undefined) {
    const { error: _, ...result } = await check(async (call) => {
      await client.listCards({}, call)
    })
    signature = result
  }
  return {
    account: id,
    merchant_id: options.merchantId,
    base_url: options.baseUrl,
    checked_at: now,
    credentials,
    signature,
    clock_ahead_seconds: ahead,
  }
}

/** The result with its error, which is not shown. */
interface Checked extends CheckResult {
  error: unknown
}
