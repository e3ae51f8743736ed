import type { Page } from "../../modules/payment-service/reconciliation"

/** Pages of records, or of ids, that `load` finds in order of their ids; none is empty. */
export async function* pagesOf<Found extends string | { id: string }>(
  limit: number,
  load: (page: Page) => Promise<Found[]>
): AsyncGenerator<Found[], void> {
  let after = ""
  for (;;) {
    const found = await load({ after, limit })
    const last = found.at(-1)
    if (!last) return
    yield found
    if (found.length < limit) return
    after = typeof last === "string" ? last : last.id
  }
}
