import { atLabelledPoint } from "../database/labelled-points"
import type {
  Accounts,
  TransactionRow,
  PaymentServiceModuleService,
} from "../modules/payment-service"
import { causeOfMissing } from "../problems/rules/cause"
import { problem } from "../problems/rules/problems"
import { reasonsText } from "../problems/rules/reasons"
import { subjectOf } from "../problems/statements/problems"
import { asError } from "../refusals/reason-of"
import { refusedPayment } from "../refusals/refused"
import type { TransactionDetails } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { inKopecks } from "../values/amount"
import { decide, type Decision } from "./rules/decide"
import { type MerchantAccount, merchantAccountOf } from "./rules/merchant-account"
import { isPaidAndKept, isPaidAndNotHandled } from "./rules/standing"
import { LONGEST_LAG_MS } from "./rules/timing"
import { endAfter, meaningOf, paidSum } from "./rules/transaction"

export interface ReadOutcome {
  row: TransactionRow
  read: TransactionDetails
  decision: Decision
}

/** A read is repeated when the row changed during it. That is rare; a third repetition means a fault. */
const MOST_TRIES = 3

/**
 * Reads a transaction at the service, decides what the read alone means and records both on our row. It needs no lease: when the row
 * changed in the meantime, the service is read again, so a slow read can never undo a later one's proof.
 *
 * @throws PaymentServiceError when it cannot be read; the row then stays unchanged
 */
export async function readTransaction(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  row: TransactionRow,
  { timeoutMs }: { timeoutMs?: number } = {}
): Promise<ReadOutcome> {
  if (!row.transaction_id) throw refusedPayment("never_opened")
  const account = accounts.getForRow(row)
  const { statuses } = account
  let current = row
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const askedAt = module.clock.now()
    const read = await accounts
      .client(account)
      .getTransaction(row.transaction_id, timeoutMs === undefined ? {} : { timeoutMs })
      .catch(async (error: unknown) => {
        await reportRefusedCredentials(module, merchantAccountOf(current), error)
        const isUnknown = error instanceof PaymentServiceError && error.kind === "not_found"
        if (isUnknown) await followConfirmed(module, current, { isConfirmed: false, status: null })
        throw error
      })
    const now = module.clock.now()
    if (meaningOf(read.status, statuses) === "pending") {
      const answer = { askedAt, secondsLeft: read.expiresInSeconds }
      current = { ...current, expires_at: endAfter(current, answer) }
    }
    const decision = decide({ row: current, read, medusa: null, statuses, now })
    await atLabelledPoint("read:answered")
    const recorded = await module.transactions.recordRead(current, { ...read, askedAt }, decision)
    if (recorded) {
      await atLabelledPoint("read:recorded")
      reportChange(module, current, decision, read.status)
      if (current.state === "paid") {
        const lag = now.getTime() - (current.paid_at?.getTime() ?? 0)
        const isConfirmed = meaningOf(read.status, statuses) !== "pending" || lag < LONGEST_LAG_MS
        await followConfirmed(module, recorded, { isConfirmed, status: read.status })
      }
      return { row: recorded, read, decision }
    }
    current = await module.transactions.get(row.id)
  }
  throw refusedPayment("busy")
}

/** Logs a new state, or an exception with its differences, once per change and not at every poll. */
function reportChange(
  module: PaymentServiceModuleService,
  before: TransactionRow,
  decision: Decision,
  status: string
): void {
  const subject = `Payment Service: transaction ${before.transaction_id ?? ""} (${before.id})`
  if (decision.exception && (decision.exception !== before.exception || status !== before.status)) {
    const { en } = reasonsText(decision.differences)
    module.logger.error(`${subject} needs a look, ${decision.exception}: ${en}`)
  } else if (decision.state !== before.state) {
    module.logger.info(`${subject} is ${decision.state}`)
  }
}

/**
 * Tells of a payment that an earlier read has proved and that the service calls pending, or does not know (null), by now; until it
 * says something else. One that it has taken back is the row's exception.
 */
async function followConfirmed(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { isConfirmed, status }: { isConfirmed: boolean; status: string | null }
): Promise<void> {
  if (isConfirmed || !isPaidAndKept(row) || !isPaidAndNotHandled(row)) {
    await module.problems.close([causeOfMissing(row.id)])
  } else {
    const { id, transaction_id: transaction } = row
    const facts = { row: id, transaction, seen: inKopecks(paidSum(row)), status }
    await module.problems.report(
      problem("payment_not_there", { found: "unconfirmed", ...facts }),
      subjectOf(row)
    )
  }
}

const refusedAt = ({ merchantId, baseUrl }: MerchantAccount) =>
  problem("credentials_refused", { merchantId, baseUrl })

/** Opens a problem when the service refused the credentials, because a person must correct them. */
export async function reportRefusedCredentials(
  module: PaymentServiceModuleService,
  merchant: MerchantAccount,
  error: unknown
): Promise<void> {
  if (error instanceof PaymentServiceError && error.kind === "unauthorized") {
    await module.problems.report(refusedAt(merchant)).catch(() => undefined)
  }
}

/** Closes the problem of refused credentials after the service has accepted them. */
export async function closeRefusedCredentials(
  module: PaymentServiceModuleService,
  merchant: MerchantAccount
): Promise<void> {
  await module.problems.close([refusedAt(merchant).cause])
}

const SAID = ["invalid", "not_found", "unauthorized", "rate_limited"] as const

/**
 * Turns an error of the service into one for Medusa's callers, with a sentence that tells a shopper what to do. It uses only
 * error types whose text core passes on; the details are in the log.
 *
 * @param isCreation whether a transaction was to be created: a 404 then says nothing about a payment, because there is none
 */
export function toMedusaError(error: unknown, isCreation = false): Error {
  if (!(error instanceof PaymentServiceError)) return asError(error)
  const kind = isCreation && error.kind === "not_found" ? "invalid" : error.kind
  return refusedPayment(SAID.find((one) => one === kind) ?? "no_answer")
}
