import type { Accounts as AccountsSnapshot } from "../../src/modules/payment-service"
import { Accounts } from "../../src/modules/payment-service/accounts"
import { type ResolvedOptions, resolveOptions } from "../../src/modules/payment-service/options"
import type { PaymentServiceClient } from "../../src/service/client"
import { causeOfTransaction } from "../../src/settlement/cause"
import type { OrderPlacement } from "../../src/settlement/decide"
import { problemOf } from "../../src/settlement/problems"
import { isPaidAndNotHandled } from "../../src/settlement/standing"
import { subjectShownBy } from "../../src/modules/payment-service/problems"
import type { OurModule } from "../../src/transactions/ports"
import type { Problem, Proof, Row } from "./books"
import { preparePayout } from "./payout-ports"
import { MERCHANT, STATUSES } from "./remote-service"
import type { PayoutRules, World } from "./world"

/** The saved card of the merchant's. */
export const CARD_ID = "0b6f3a52-58a1-4a63-9a2f-3a0c1f5f2a11"

const nothing = () => undefined
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Our module as the plugin's functions see it: each call is a statement on the books, or a call of the service. */
export function moduleOf(world: World): OurModule {
  const { books, payouts, processes } = world
  const accounts = accountsOf(world)
  const { transactions, dueTransactions, problems, openings, ...rest } = {
    transactions: {
      get: async (id) => books.retrieve(id),
      change: async (id, changes) => books.update(id, changes),
      askRefund: async (id, amount, refundId) => books.askRefund(id, amount, refundId),
      recordRead: async (before, read, decision) => books.recordRead(before, read, decision),
      recordRefusal: async (judged, refusal) => books.recordRefusal(judged, refusal),
      recordProgress: async (judged, settled) => books.recordProgress(judged, settled),
      publish: async (row) => books.publish(row),
      publishSettled: async (row) => books.publishSettled(row),
      findUnpublished: async () => books.findUnpublished(),
      markDeferred: async (id) => books.markDeferred(id),
      isOrderKnown: async (collectionId) => books.isOrderKnown(collectionId),
      payabilityIn: async (collectionIds, rowId) => books.payabilityIn(collectionIds, rowId),
      listPaidIn: async (collectionIds) =>
        books
          .list(
            (row) => collectionIds.includes(row.payment_collection_id) && isPaidAndNotHandled(row)
          )
          .sort((one, other) => Number(one.paid_at) - Number(other.paid_at)),
      providersIn: async (collectionIds) => [
        ...new Set(
          books
            .list(({ payment_collection_id: id }) => collectionIds.includes(id))
            .map(({ provider_id }) => provider_id)
        ),
      ],
    },
    problems: {
      report: async (found, subject, began) => books.report(found, subject, began),
      close: async (causes) => books.close(causes),
      closeBalanced: async (causes) => books.closeBalanced(causes),
      closeByPerson: async (id, decided, money) => books.closeByPerson(id, decided, money),
      closeKnownStatuses: async () => books.closeKnownStatuses(),
      findUnfollowed: async () => books.findUnfollowed().map(({ id }) => id),
      wasClosedByPerson: async (cause, closing) => books.wasClosedByPerson(cause, closing),
      listHandledParts: async (found) => books.handledParts(found),
      // Two statements, with a moment in between.
      follow: async (row) => {
        const found = problemOf(row)
        if (found?.cause !== causeOfTransaction(row.id)) {
          books.close([causeOfTransaction(row.id)])
          await processes.pause()
        }
        if (found) books.report(found, subjectShownBy(found, row), row.exception_at)
      },
    },
    dueTransactions: {
      hint: async (id) => books.hint(id),
      makeStatusDue: async (cause) => {
        const rows = books.list(
          (row) => row.exception === "unknown_status" && problemOf(row)?.cause === cause
        )
        return { count: rows.length, oldest: rows.map(({ id }) => id) }
      },
    },
    openings: {
      findOthers: async (collectionIds, of) => books.findOthers(collectionIds, of),
      recordAsked: async (transaction) => ({ row: books.create(transaction), refusal: null }),
      recordCreated: async (id, created) => books.recordCreated(id, created),
      recordFailed: async (id, state) => {
        books.update(id, { state })
      },
    },
    findBySession: async (id) => books.findBySession(id),
    findByTransactionId: async (id) => books.findByTransactionId(id),
    guestPayerId: async () => "guest",
    addressDigest: async () => "address",
  } satisfies Partial<OurModule>
  return {
    ...processes.inSteps(rest),
    openings: processes.inSteps(openings),
    transactions: processes.inSteps(transactions),
    dueTransactions: processes.inSteps(dueTransactions),
    problems: processes.inSteps(problems),
    refundPayouts: processes.inSteps({
      of: async (rowIds: string[]) => new Map(rowIds.map((id) => [id, payouts.paidBack(id)])),
      recordedOf: async (rowIds: string[]) => rowIds.flatMap((id) => books.recordedBack(id)),
      recordBooked: async (proofIds: string[]) => {
        books.recordProofs(proofIds)
      },
    }),
    leases: { hold: (name, times, work) => books.holding(name, times, work) },
    // No rule reads it.
    journal: { add: async () => undefined },
    ...(processes.inSteps({
      listTransactions: async (of: Of<Row>) => books.list((row) => isOf(row, of)),
      listRefundProofs: async (of: Of<Proof>) => books.proofs.filter((proof) => isOf(proof, of)),
      createRefundProofs: async (proof: Proof) => {
        books.addProof(proof)
      },
      listProblems: async (of: Of<Problem>) =>
        books.problems.filter((problem) => isOf(problem, of)),
      retrieveProblem: async (id: string) => ({ ...books.problem(id) }),
    }) as unknown as Pick<
      OurModule,
      | "listTransactions"
      | "listRefundProofs"
      | "createRefundProofs"
      | "listProblems"
      | "retrieveProblem"
    >),
    accounts: async () => accounts,
    clock: { now: () => books.now() },
    logger: SILENT,
  }
}

const OPTIONS = new Map<string, ResolvedOptions>()

/** One account, whose client asks the remote service of this world. */
function accountsOf(world: World): AccountsSnapshot {
  const { placement, payoutRules } = world
  const key = JSON.stringify([placement, payoutRules])
  const options = OPTIONS.get(key) ?? resolveOptions(optionsWith(placement, payoutRules))
  OPTIONS.set(key, options)
  const client = clientOf(world) as PaymentServiceClient
  return new (class extends Accounts {
    override client() {
      return client
    }
  })(options)
}

function optionsWith(orderPlacement: OrderPlacement, payouts: PayoutRules | null) {
  const page = "https://shop.example/"
  return {
    backendUrl: "https://backend.example",
    baseUrl: "https://service.example",
    merchantId: MERCHANT,
    secret: "a-secret-of-the-model",
    statuses: STATUSES,
    description: "a payment",
    successUrl: page,
    failureUrl: page,
    orderPlacement,
    ...(payouts ? { payouts, signingSecret: "a-signing-secret-of-the-model" } : {}),
  }
}

/** Time passes before the service answers, and until its answer arrives. */
function clientOf(world: World) {
  const { service, processes, clock } = world
  return {
    preparePayout: preparePayout(world),
    listCards: async () => {
      await processes.pause()
      const [masked, last4, brand, label] = ["**** 4242", "4242", null, null]
      const card = { cardId: CARD_ID, masked, last4, brand, label, status: "ACTIVE" }
      return { cards: [card], unreadable: 0 }
    },
    getTransaction: async (id: string) => {
      await processes.pause()
      const read = service.read(id)
      if (STATUSES.paid.includes(read.status)) service.saidPaidAt.set(id, processes.moment)
      await processes.pause()
      return { ...read, qr: null }
    },
    createTransaction: async ({
      amount,
      currency,
      payload,
    }: Parameters<PaymentServiceClient["createTransaction"]>[0]) => {
      await processes.pause()
      // Some transactions have no time to pay.
      const expiresInSeconds = service.transactions.size % 4 === 3 ? null : 15 * 60
      const asked = { amount, currency, merchantId: MERCHANT, payload }
      const { id } = service.create(
        asked,
        expiresInSeconds === null ? null : clock.now + expiresInSeconds * 1_000
      )
      await processes.pause()
      return {
        transactionId: id,
        status: "PENDING",
        redirect: `https://service.example/${id}`,
        usdtRate: null,
        expiresInSeconds,
      }
    },
  } as Partial<PaymentServiceClient>
}

/** A filter of Medusa's lists: a value, or several, for each column. */
type Of<Record> = Partial<{ [Column in keyof Record]: unknown }>

function isOf<Row extends object>(row: Row, of: Of<Row>): boolean {
  return Object.entries(of).every(([column, value]) => {
    const own = row[column as keyof Row]
    return Array.isArray(value) ? value.includes(own) : own === value
  })
}
