import type { ProblemRow } from "../../src/modules/payment-service"
import { textOf } from "../../src/settlement/problems"
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

/** Acts on a problem as an administrator. */
export async function act(admin: Admin, { id }: ProblemRow, action: string, body: unknown = {}) {
  return await admin.post(`/admin/payment-service/problems/${id}/${action}`, body)
}

/** Problems as the dashboard gets them. */
export async function listedProblems(admin: Admin, query = ""): Promise<Record<string, unknown>[]> {
  const { data } = await admin.get(`/admin/payment-service/problems?${query}`)
  return data.problems as Record<string, unknown>[]
}
