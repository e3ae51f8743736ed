import type { ProblemRow } from "../../src/modules/payment-service"
import { textOf } from "../../src/problems/rules/problems"
import type { Admin } from "./admin"
import { eventually } from "./eventually"
import type { OpenPayment } from "./shopper"
import type { TestStore } from "./store"

/** A problem's English text, which is made from its facts. */
export function saying(found: ProblemRow): ProblemRow & { message: string } {
  return { ...found, message: textOf(found).en }
}

/** The problem of a payment, as soon as it is open, and what it says. */
export async function openProblem(
  store: TestStore,
  { data }: OpenPayment
): Promise<ReturnType<typeof saying>> {
  return await eventually(`a problem of ${data.transaction_id}`, async () => {
    const [found] = await store.module.listProblems({
      transaction_id: data.transaction_id,
      closed_at: null,
    })
    return found && saying(found)
  })
}

/** A problem as its page shows it, as far as an action must say what was seen. */
export interface ShownProblem {
  id: string
  amount: string | null
  cart_total: string | null
  order_id: string | null
}

/** The part of an action's body that says what its page shows, as the dashboard sends it. */
export function seenIn({ amount, cart_total, order_id }: ShownProblem, action: string): object {
  switch (action) {
    case "place-order":
    case "accept-amount":
      return { amount, cart_total }
    case "link-order":
    case "replace-order":
      return { amount, order_id }
    case "retry":
      return {}
    default:
      return { amount }
  }
}

/** Acts on a problem as an administrator who looks at it and sends what they see; `body` may say otherwise. */
export async function act(admin: Admin, { id }: { id: string }, action: string, body: object = {}) {
  const address = `/admin/payment-service/problems/${id}`
  const { data } = await admin.get(address)
  const seen = seenIn(data.problem as ShownProblem, action)
  return await admin.post(`${address}/${action}`, { ...seen, ...body })
}

/**
 * Expects an action to be refused, with nothing changed, when its request lacks something that the problem's page shows, and when it
 * says something else.
 *
 * @param codes those of the refusals of other values, by field
 */
export async function expectOnlyAsSeen(
  { store, admin }: { store: TestStore; admin: Admin },
  { id, transaction_row_id }: { id: string; transaction_row_id: string | null },
  action: string,
  { body = {}, codes }: { body?: object; codes: Record<string, string> }
): Promise<void> {
  const state = async () => {
    const { closed_at, resolution, note } = await store.module.retrieveProblem(id)
    const row = await store.module.retrieveTransaction(transaction_row_id ?? "")
    const { exception, settled_at, handled_at, order_id, session_id, accepted } = row
    const ledger = await store.module.ledger.of([row.id])
    const problem = { closed_at, resolution, note }
    return { problem, exception, settled_at, handled_at, order_id, session_id, accepted, ledger }
  }
  const before = await state()
  const { data } = await admin.get(`/admin/payment-service/problems/${id}`)
  const seen = seenIn(data.problem as ShownProblem, action)
  const fields = Object.entries(seen).flatMap(([field, value]) => (value === null ? [] : field))
  expect(fields.sort()).toEqual(Object.keys(codes).sort())
  for (const [field, code] of Object.entries(codes)) {
    expect(await act(admin, { id }, action, { ...body, [field]: undefined })).toMatchObject({
      status: 400,
      data: {
        type: "invalid_data",
        message: expect.stringContaining(`Field '${field}' is required`),
      },
    })
    const other = field === "order_id" ? "order_other" : "1.01"
    expect(await act(admin, { id }, action, { ...body, [field]: other })).toMatchObject({
      status: 400,
      data: { code },
    })
    expect(await state()).toEqual(before)
  }
}

/** Problems as the dashboard gets them. */
export async function listedProblems(admin: Admin, query = ""): Promise<Record<string, unknown>[]> {
  const { data } = await admin.get(`/admin/payment-service/problems?${query}`)
  return data.problems as Record<string, unknown>[]
}
