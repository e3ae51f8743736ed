import type * as Balance from "../../src/settlement/order-balance"
import { isComplete, type MedusaState } from "../../src/settlement/evidence"
import { expectViolation } from "./expect-violation"
import type * as Replaceable from "./replaceable"
import { replace, restore } from "./replaceable"
import { type Decide, realDecide as decide, tell } from "./run"

jest.mock("../../src/settlement/decide", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/decide")
)

jest.mock("../../src/settlement/order-balance", () =>
  jest.requireActual<typeof Replaceable>("./replaceable").replaceable("settlement/order-balance")
)

const { balanceProblem } = jest.requireActual<typeof Balance>("../../src/settlement/order-balance")

type Input = Parameters<Decide>[0]

const withMedusa = (input: Input, changes: Partial<MedusaState>): Input => ({
  ...input,
  medusa: isComplete(input.medusa) ? { ...input.medusa, ...changes } : input.medusa,
})

const withoutException =
  (...exceptions: string[]): Decide =>
  (input) => {
    const decision = decide(input)
    return decision.exception !== null && exceptions.includes(decision.exception)
      ? { ...decision, exception: null, differences: [] }
      : decision
  }

/** Decisions with one thing wrong in each; the model is worth something only if it finds them. */
const BROKEN: Record<string, Decide> = {
  "any amount will do": (input) =>
    decide({
      ...input,
      read: { ...input.read, amount: input.row.accepted_amount ?? input.row.amount },
    }),
  "any currency will do": (input) =>
    decide({ ...input, read: { ...input.read, currency: input.row.currency } }),
  "any reference will do": (input) =>
    decide({ ...input, read: { ...input.read, payload: input.row.id } }),
  "any merchant will do": (input) =>
    decide({ ...input, read: { ...input.read, merchantId: input.row.merchant_id } }),
  "a payment whose session is gone is nobody's business": withoutException("session_gone"),
  "so is one of another amount": withoutException("amount_less", "amount_more"),
  "so is one that is taken back": withoutException("reversed"),
  "so is one with a status that nobody named": withoutException("unknown_status"),
  "the cart's total does not matter": (input) =>
    decide({ ...input, medusa: worthItsSession(input) }),
  "a canceled order can be paid": (input) =>
    decide(
      isComplete(input.medusa) && input.medusa.order
        ? withMedusa(input, { order: { ...input.medusa.order, canceled: false } })
        : input
    ),
  "a stale read takes back what was paid": (input) =>
    input.read.status === "PENDING" && input.row.state === "paid"
      ? { ...decide(input), state: "pending", exception: null }
      : decide(input),
  "what was canceled is pending again": (input) =>
    input.read.status === "PENDING" && input.row.state === "canceled"
      ? { ...decide(input), state: "pending" }
      : decide(input),
  "nothing expires": (input) =>
    decide(input.read.status === "PENDING" ? { ...input, now: new Date(0) } : input),
  "a decline leaves the session open": (input) => {
    const decision = decide(input)
    return decision.action.do === "cancel_session"
      ? { ...decision, action: { do: "nothing" } }
      : decision
  },
  "an order that a killed completion left is nobody's business": (input) => {
    const decision = decide(input)
    return decision.action.do === "report_order"
      ? { ...decision, action: { do: "nothing" } }
      : decision
  },
  "an order that can still be paid is canceled": (input) =>
    decide(
      isComplete(input.medusa) && input.medusa.order && !input.medusa.payment
        ? withMedusa(input, { order: { ...input.medusa.order, unpaid: "cancel" } })
        : input
    ),
  "an order is canceled before its time is over": (input) =>
    decide(
      input.read.status === "PENDING"
        ? input
        : { ...input, row: { ...input.row, expires_at: new Date(0) } }
    ),
  "an order that nothing can pay for is kept": (input) => {
    const decision = decide(input)
    return decision.action.do === "cancel_order"
      ? { ...decision, action: { do: "nothing" } }
      : decision
  },
  "what a person took care of goes on by itself": (input) =>
    decide({ ...input, row: { ...input.row, handled_at: null } }),
  "what is paid is left to somebody else": (input) => {
    const decision = decide(input)
    return decision.action.do === "place_order"
      ? { ...decision, action: { do: "nothing" } }
      : decision
  },
  "it does not matter what an order is owed": (input) =>
    decide(
      input.medusa?.order
        ? {
            ...input,
            medusa: { ...input.medusa, order: { ...input.medusa.order, owed: "1000000" } },
          }
        : input
    ),
  "an order is promised whatever its cart is worth": (input) => {
    const { isOutdated, ...decision } = decide(input)
    return isOutdated && input.placement === "before_payment"
      ? { ...decision, sessionStatus: "pending_authorization" }
      : decision
  },
}

/** The balance of an order, with one thing wrong in each. */
const BROKEN_BALANCES: Record<string, typeof balanceProblem> = {
  "what an order is owed after its payment is nobody's business": () => null,
  "nobody is told what an order was paid too much": (order) => {
    const problem = balanceProblem(order)
    return problem?.found.kind === "paid_twice" ? null : problem
  },
  "what a person accepted is a problem all the same": (order) =>
    balanceProblem({ ...order, accepted: "0" }),
}

function worthItsSession({ medusa, row }: Input): Input["medusa"] {
  if (!medusa?.session || !medusa.cart) return medusa
  const total = row.accepted_cart_total ?? medusa.session.amount
  return { ...medusa, cart: { ...medusa.cart, total } }
}

describe("the model finds it when", () => {
  afterEach(restore)

  it.each(Object.entries(BROKEN))("%s", async (_, decideWrongly) => {
    await expectViolation((each) => tell(each, decideWrongly))
  })

  it.each(Object.entries(BROKEN_BALANCES))("%s", async (_, broken) => {
    replace("settlement/order-balance", { balanceProblem: broken })
    await expectViolation(tell)
  })
})
