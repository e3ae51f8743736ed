import type { TestStore } from "./store"

/** The ledger's lines about money that went back, oldest first. */
export async function proofs({ module }: TestStore, of: { problem_id?: string } = {}) {
  const kind = ["outside", "payout", "reversed"] as never
  return await module.listLedgerEntries({ ...of, kind }, { take: null, order: { at: "ASC" } })
}
