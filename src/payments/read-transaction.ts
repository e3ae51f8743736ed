import type { MedusaContainer } from "@medusajs/framework/types"

import { atLabelledPoint } from "../database/labelled-points"
import { MedusaReader } from "../medusa/reader"
import {
  type Accounts,
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../modules/payment-service"
import { causeOfMissing, causeOfRefusedCredentials, problem } from "../problems/rules/problems"
import { reasonsText } from "../problems/rules/reasons"
import { subjectOf } from "../problems/statements/problems"
import { asError, refusedPayment } from "../refusals/refused"
import { TIMEOUTS, type TransactionDetails } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { inKopecks } from "../values/amount"
import { type Reader, readPlaces } from "./read-places"
import { decide, type Decision, recordedRead, type TransactionRead } from "./rules/decide"
import { LONGEST_LAG_MS } from "./rules/timing"
import * as rules from "./rules/transaction"

/** Everything outside that a transaction's functions use: our tables, the clock and the service, and Medusa's records. */
export type Ports = ReturnType<typeof portsOf>

export function portsOf(container: MedusaContainer) {
  return {
    // A getter, because a provider is loaded before the modules are.
    get module() {
      const module = container.resolve<PaymentServiceModuleService | undefined>(
        PAYMENT_SERVICE_MODULE,
        { allowUnregistered: true }
      )
      // A store may list the provider without the plugin.
      if (!module) throw refusedPayment("not_set_up")
      return module
    },
    medusa: new MedusaReader(container),
  }
}

type NotJudged = "qr" | "amountUsdt" | "commission" | "commissionUsdt" | "expiresInSeconds"
type Read = TransactionRead & Pick<TransactionDetails, NotJudged>

/** A repetition, because the row changed during the read, is rare; a third one means a fault. */
const MOST_TRIES = 3

/**
 * Reads a transaction at the service, decides what the read alone means and records both on our row. It needs no lease: when the row
 * changed in the meantime, the service is read again, so a slow read can never undo a later one's proof.
 *
 * @param timeoutMs the longest wait for a place (`ReadPlaces`) and for each answer
 * @throws PaymentServiceError when it cannot be read, and MedusaError `UNEXPECTED_STATE` when its turn does not come in time; the row
 * then stays unchanged
 */
export async function readTransaction(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  row: TransactionRow,
  { timeoutMs = TIMEOUTS.readMs, by = "beside" }: { timeoutMs?: number; by?: Reader } = {}
) {
  const { transaction_id: id } = row
  if (!id) throw refusedPayment("never_opened")
  const account = accounts.getForRow(row)
  const merchant = rules.merchantAccountId(rules.merchantAccountOf(row))
  return await readPlaces.take(accounts, merchant, { timeoutMs, by }, async (leftMs) => {
    const { statuses } = account
    let current = row
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const askedAt = module.clock.now()
      const read: Read = await accounts
        .client(account)
        .getTransaction(id, { timeoutMs: leftMs })
        .catch(async (error: unknown) => {
          await reportRefusedCredentials(module, rules.merchantAccountOf(current), error)
          if (!(error instanceof PaymentServiceError) || error.kind !== "not_found") throw error
          await reportUnconfirmed(module, current, { isConfirmed: false, status: null })
          // Services forget what nobody has paid. An hour after its time to pay, it is no mere lag, and the last answer counts.
          const endOfLag = Number(rules.endOfTimeToPay(current)) + LONGEST_LAG_MS
          if (current.paid_at !== null || Number(askedAt) < endOfLag) throw error
          return lastAnswer(current, statuses.pending)
        })
      const now = module.clock.now()
      const isPending = rules.meaningOf(read.status, statuses) === "pending"
      if (isPending) {
        const answer = { askedAt, secondsLeft: read.expiresInSeconds }
        current = { ...current, expires_at: rules.endAfter(current, answer) }
      }
      const decision = decide({ row: current, read, medusa: null, statuses, now })
      await atLabelledPoint("read:answered")
      const recorded = await module.transactions.recordRead(current, { ...read, askedAt }, decision)
      if (recorded) {
        await atLabelledPoint("read:recorded")
        reportChange(module, current, decision, read.status)
        if (current.state === "paid") {
          const lag = now.getTime() - (current.paid_at?.getTime() ?? 0)
          const isConfirmed = !isPending || lag < LONGEST_LAG_MS
          await reportUnconfirmed(module, recorded, { isConfirmed, status: read.status })
        }
        return { row: recorded, read, decision }
      }
      current = await module.transactions.get(row.id)
    }
    throw refusedPayment("busy")
  })
}

/** An admin, or a shopper at the checkout, waits for such a look. */
export const LOOK_MS = 2_000

/** The row after a short look at the service, or as it was when that does not answer: a silent service holds nobody up. */
export async function lookAt(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  row: TransactionRow,
  longestMs = LOOK_MS
): Promise<TransactionRow> {
  const timeoutMs = Math.min(longestMs, LOOK_MS)
  const look = await readTransaction(module, accounts, row, { timeoutMs }).catch(() => null)
  return look?.row ?? row
}

/** The last answer about a transaction that was not paid. One that was never read was pending when it was opened. */
const lastAnswer = (row: TransactionRow, [pending = ""]: readonly string[]): Read => ({
  ...recordedRead(row),
  ...(row.read_at === null && { status: pending }),
  qr: null,
  amountUsdt: null,
  commission: null,
  commissionUsdt: null,
  expiresInSeconds: null,
})

/** Logs a new state or exception, once and not at every poll. */
function reportChange(
  module: PaymentServiceModuleService,
  before: TransactionRow,
  { state, exception, differences }: Decision,
  status: string
): void {
  const subject = `Payment Service: transaction ${before.transaction_id ?? ""} (${before.id})`
  if (exception && (exception !== before.exception || status !== before.status)) {
    module.logger.error(`${subject} needs a look, ${exception}: ${reasonsText(differences).en}`)
  } else if (state !== before.state) {
    module.logger.info(`${subject} is ${state}`)
  }
}

/** Tells of a payment that an earlier read has proved and that the service calls pending, or does not know (null), by now. */
async function reportUnconfirmed(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { isConfirmed, status }: { isConfirmed: boolean; status: string | null }
): Promise<void> {
  if (isConfirmed || !rules.isPaidAndKept(row) || !rules.isPaidAndNotHandled(row)) {
    await module.problems.close([causeOfMissing(row.id)])
  } else {
    const { id, transaction_id: transaction } = row
    const facts = { row: id, transaction, seen: inKopecks(rules.paidSum(row)), status }
    const found = problem("payment_not_there", { found: "unconfirmed", ...facts })
    await module.problems.report(found, subjectOf(row))
  }
}

/** Opens a problem when the service refused the credentials, because a person must correct them; accepted ones close it. */
export async function reportRefusedCredentials(
  module: PaymentServiceModuleService,
  { merchantId, baseUrl }: rules.Merchant,
  error: unknown
): Promise<void> {
  if (error instanceof PaymentServiceError && error.kind === "unauthorized") {
    const found = problem("credentials_refused", { merchantId, baseUrl })
    await module.problems.report(found).catch(() => undefined)
  }
}

export const closeRefusedCredentials = (
  module: PaymentServiceModuleService,
  merchant: rules.Merchant
) => module.problems.close([causeOfRefusedCredentials(merchant)])

const SAID = ["invalid", "not_found", "unauthorized", "rate_limited"] as const

/** The service's error as one whose text core passes on to the shopper. At a creation, a 404 says nothing about a payment. */
export function toMedusaError(error: unknown, isCreation = false): Error {
  if (!(error instanceof PaymentServiceError)) return asError(error)
  const kind = isCreation && error.kind === "not_found" ? "invalid" : error.kind
  return refusedPayment(SAID.find((one) => one === kind) ?? "no_answer")
}
