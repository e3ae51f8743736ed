import type { ProblemRow } from "../../src/modules/payment-service"
import type { RecordedBack } from "../../src/modules/payment-service/refund-payouts"
import { sumOf } from "../../src/medusa/payments"
import { excessOf } from "../../src/modules/payment-service/problems"
import type { Closing } from "../../src/modules/payment-service/problems-in-sql"
import { compareAmounts } from "../../src/settlement/amount"
import { causeOfTransaction } from "../../src/settlement/cause"
import {
  type FoundProblem,
  opensAgain,
  problemOf,
  type ProblemKind,
} from "../../src/settlement/problems"
import { CLOSED_BY_A_PERSON, type ProblemResolution } from "../../src/settlement/problems/entry"
import type { Sum } from "../../src/texts"
import { askedOf } from "../../src/transactions/refund-requests"
import { type Processes, Refusal, Violation } from "./processes"
import { type Row, TransactionBooks } from "./transaction-books"

export type { Row }

/** The columns of a problem by which anything is decided. */
export type Problem = Pick<
  ProblemRow,
  | "id"
  | "cause"
  | "transaction_row_id"
  | "order_id"
  | "amount"
  | "currency"
  | "opened_at"
  | "closed_at"
  | "resolution"
  | "lapsed_at"
> & { kind: ProblemKind; facts: object }

type Subject = Partial<Pick<Problem, "transaction_row_id" | "order_id" | "amount" | "currency">>

/** The columns of a refund proof by which anything is decided. */
export interface Proof {
  id: string
  transaction_row_id: string
  problem_id: string | null
  payout_id: string | null
  amount: string
  currency: string
  kind: "outside" | "payout"
  recorded_at: Date | null
}

interface Lease {
  holder: number
  until: number
}

/**
 * Our tables, with the rules of their statements: transactions, what `Problems` says in SQL, and leases. Each method
 * here is one statement there.
 */
export class Books extends TransactionBooks {
  readonly problems: Problem[] = []
  readonly proofs: Proof[] = []
  private readonly leases = new Map<string, Lease>()

  constructor(
    clock: { now: number },
    private readonly processes: Processes
  ) {
    super(clock)
  }

  // --- problems ----------------------------------------------------------------------------------

  /** `Problems.report`. */
  report(found: FoundProblem, subject: Subject = {}, began: Date | null = null): void {
    const rule = opensAgain(found)
    const isClosed =
      rule === "always"
        ? false
        : this.wasClosedByPerson(
            found.cause,
            rule === "when_newer"
              ? { since: began }
              : { as: { kind: found.kind, sum: subject, excess: excessOf(found) } }
          )
    if (isClosed) return
    const open = this.problems.find(({ cause, closed_at }) => cause === found.cause && !closed_at)
    const seen = {
      ...found,
      transaction_row_id: subject.transaction_row_id ?? null,
      order_id: subject.order_id ?? null,
      amount: subject.amount ?? null,
      currency: subject.currency ?? null,
    }
    if (open) Object.assign(open, seen)
    else {
      this.problems.push({
        ...seen,
        id: `psprob_${this.problems.length + 1}`,
        opened_at: this.now(),
        closed_at: null,
        resolution: null,
        lapsed_at: null,
      })
    }
  }

  close(causes: string[]): void {
    for (const problem of this.problems) {
      const isProved = this.proofs.some(
        ({ problem_id, kind }) => problem_id === problem.id && kind === "outside"
      )
      if (problem.kind === "refund_due" && isProved) continue
      if (causes.includes(problem.cause) && !problem.closed_at) {
        Object.assign(problem, { closed_at: this.now(), resolution: "settled" })
      }
    }
  }

  /** `Problems.closeBalanced`. */
  closeBalanced(causes: string[]): void {
    this.close(causes)
    for (const problem of this.problems) {
      if (causes.includes(problem.cause) && isClosedByAPerson(problem, null)) {
        problem.lapsed_at = this.now()
      }
    }
  }

  /**
   * `Problems.closeByPerson`: what a person decided stands, even if the problem has closed by itself in the same
   * moment. Nothing happens any more by itself with the money of a row that is named. Refunds that were asked for
   * are answered.
   */
  closeByPerson(
    id: string,
    {
      resolution,
      booked,
      recorded = [],
    }: { resolution: ProblemResolution; booked?: string; recorded?: string[] },
    money: { of: string; back: { amount: string; currency: string } | null } | null = null
  ): void {
    const problem = this.problem(id)
    if (problem.closed_at && problem.resolution !== "settled") return
    const { transaction_row_id: rowId, cause, kind, amount, currency } = problem
    if (rowId && CLOSED_BY_A_PERSON.includes(resolution)) {
      const row = this.retrieve(rowId)
      const asked = sumOf(askedOf(row))
      const isAnswered = booked !== undefined || kind === "refund_due"
      this.update(rowId, {
        ...(compareAmounts(asked, 0) > 0 && isAnswered
          ? this.withRequest(row, `-${least(asked, booked ?? asked)}`)
          : {}),
        ...(money?.of === rowId
          ? { handled_at: row.handled_at ?? this.now(), watch_at: null }
          : {}),
        ...(cause === causeOfTransaction(rowId)
          ? {
              handled_as: kind === "reversed" ? "reversed" : "paid",
              handled_amount: amount,
              handled_currency: currency,
            }
          : {}),
      })
    }
    if (
      money?.back &&
      !this.proofs.some((proof) => proof.problem_id === id && proof.kind === "outside")
    ) {
      this.addProof({
        ...{ transaction_row_id: money.of, problem_id: id, amount: money.back.amount },
        ...{ currency: money.back.currency, kind: "outside", payout_id: null },
      })
    }
    this.recordProofs(recorded)
    Object.assign(problem, { closed_at: this.now(), resolution })
  }

  /** Money that went back outside is proved once per problem; a payout is one proof, however often it is found. */
  addProof(proof: Omit<Proof, "id" | "recorded_at">): void {
    const { problem_id: id, payout_id: payoutId, kind } = proof
    if (payoutId && this.proofs.some(({ payout_id }) => payout_id === payoutId)) return
    if (
      kind === "outside" &&
      id &&
      this.proofs.some((p) => p.problem_id === id && p.kind === kind)
    ) {
      throw new Violation(`${id}: the same money was proved to be back twice`)
    }
    this.proofs.push({ ...proof, id: `psproof_${this.proofs.length + 1}`, recorded_at: null })
  }

  recordProofs(ids: string[]): void {
    for (const proof of this.proofs) {
      if (ids.includes(proof.id)) proof.recorded_at ??= this.now()
    }
  }

  /** `RefundPayouts.recordedOf` for one row. */
  recordedBack(rowId: string): RecordedBack[] {
    const recorded = this.proofs.filter(
      ({ transaction_row_id, kind, recorded_at }) =>
        transaction_row_id === rowId && (kind !== "payout" || recorded_at !== null)
    )
    const currencies = new Set(recorded.map(({ currency }) => currency.toUpperCase()))
    return [...currencies].map((currency) => ({
      ...{ rowId, currency },
      amount: sumOf(recorded.filter((proof) => proof.currency.toUpperCase() === currency)),
    }))
  }

  // --- payouts for problems -------------------------------------------------------------------

  markHandled(rowId: string, now: Date): void {
    const { handled_at } = this.retrieve(rowId)
    this.update(rowId, { handled_at: handled_at ?? now, watch_at: null })
  }

  markHandledAgain(rowId: string, now: Date): void {
    const { handled_at, settled_at } = this.retrieve(rowId)
    if (!handled_at && !settled_at) this.update(rowId, { handled_at: now, watch_at: null })
  }

  resumeAutomaticSettling(rowId: string, now: Date): void {
    const { handled_at, handled_as } = this.retrieve(rowId)
    if (handled_at !== null && handled_as === null) this.giveBack(rowId, now)
  }

  problem(id: string): Problem {
    const problem = this.problems.find((each) => each.id === id)
    if (!problem) throw new Error(`No problem ${id}`)
    return problem
  }

  /** Rows that `Problems.findUnfollowed` finds. */
  findUnfollowed(): Row[] {
    return this.list((row) => {
      const found = problemOf(row)
      const isFollowed = this.problems.some(
        (problem) =>
          problem.cause === found?.cause &&
          (problem.closed_at === null || isClosedByAPerson(problem, row.exception_at))
      )
      const isOver =
        row.exception === null &&
        this.problems.some(
          ({ cause, closed_at }) => cause === causeOfTransaction(row.id) && closed_at === null
        )
      return (found !== null && !isFollowed) || isOver
    })
  }

  /** `Problems.closeKnownStatuses`: an option names them now, or the service has taken them back. */
  closeKnownStatuses(): void {
    for (const { kind, cause } of this.problems) {
      const isShown = this.list(
        (row) => row.exception === "unknown_status" && problemOf(row)?.cause === cause
      )
      if (kind === "unknown_status" && !isShown.length) this.close([cause])
    }
  }

  wasClosedByPerson(cause: string, { since = null, as }: Closing): boolean {
    return this.problems.some((problem) => {
      if (problem.cause !== cause || !isClosedByAPerson(problem, since)) return false
      if (!as) return true
      if (problem.kind !== as.kind) return false
      return as.excess
        ? isHandledAs(problem, as.excess) &&
            (!("part" in problem.facts) ||
              problem.transaction_row_id === (as.sum.transaction_row_id ?? null))
        : problem.amount === (as.sum.amount ?? null) &&
            problem.currency === (as.sum.currency ?? null)
    })
  }

  handledParts(found: FoundProblem) {
    const excess = excessOf(found)
    return this.problems
      .filter((problem) => problem.cause === found.cause && isClosedByAPerson(problem, null))
      .filter((problem) => excess && "part" in problem.facts && isHandledAs(problem, excess))
      .map(({ transaction_row_id, amount }) => ({
        rowId: transaction_row_id ?? "",
        amount: amount ?? "0",
      }))
  }

  // --- leases ------------------------------------------------------------------------------------

  /** Runs it while nobody else holds the lease; a lease whose holder died, or stood still, runs out. */
  async holding<T>(
    name: string,
    { ttlMs, waitMs }: { ttlMs: number; waitMs: number },
    work: () => Promise<T>
  ): Promise<T> {
    const holder = this.processes.currentId
    const giveUpAt = this.clock.now + waitMs
    const isFree = () => (this.leases.get(name)?.until ?? 0) < this.clock.now
    await this.processes.pause(() => isFree() || this.clock.now >= giveUpAt)
    if (!isFree()) throw new Refusal("this payment is being looked at right now")
    this.leases.set(name, { holder, until: this.clock.now + ttlMs })
    try {
      return await work()
    } finally {
      if (this.leases.get(name)?.holder === holder) this.leases.delete(name)
    }
  }

  /** Time that passes evenly lets the living renew what they hold; a jump of the clock does not. */
  renewLeases(): void {
    for (const lease of this.leases.values()) {
      if (this.processes.isAlive(lease.holder)) lease.until = this.clock.now + 15_000
    }
  }
}

const least = (one: string, other: string) => (compareAmounts(one, other) < 0 ? one : other)

/** `isHandledExcess`: the problem was this whole excess of its order, or a part of it, and was handled. */
function isHandledAs({ resolution, facts }: Problem, excess: Sum): boolean {
  const of = "excess" in facts ? (facts.excess as Sum) : null
  return resolution === "handled" && of?.amount === excess.amount && of.currency === excess.currency
}

/** A problem that closed by itself, or was accepted, opens again while something is still out of order. */
function isClosedByAPerson(
  { closed_at, resolution, lapsed_at }: Problem,
  since: Date | null
): boolean {
  return (
    closed_at !== null &&
    lapsed_at === null &&
    resolution !== null &&
    CLOSED_BY_A_PERSON.includes(resolution) &&
    closed_at >= (since ?? new Date(0))
  )
}
