import type { TransactionState } from "../../src/settlement/transaction-state"
import type { Row } from "./books"
import { Violation } from "./processes"

/** Every change of a state that may happen; all others take back what has been proved. */
const NEXT: Record<TransactionState, TransactionState[]> = {
  creating: ["refused", "unknown", "pending"],
  refused: [],
  unknown: [],
  pending: ["paid", "canceled", "expired"],
  // A closed transaction may be closed by another name, or paid late.
  canceled: ["expired", "paid"],
  expired: ["canceled", "paid"],
  paid: [],
}

/** Final values never change, whatever writes them and in whatever order. */
export function checkRowChange(before: Row, after: Row): void {
  const broken: string[] = []
  if (before.state !== after.state && !NEXT[before.state].includes(after.state)) {
    broken.push(`state ${before.state} became ${after.state}`)
  }
  if (before.paid_at && before.paid_at !== after.paid_at) broken.push("paid_at changed")
  if (before.settled_at && !after.settled_at) broken.push("settled_at was cleared")
  if (before.handled_at && before.handled_at !== after.handled_at) broken.push("handled_at changed")
  if (before.transaction_id && before.transaction_id !== after.transaction_id) {
    broken.push("it is another transaction of the service now")
  }
  if (before.told_state === "paid" && after.told_state !== "paid") {
    broken.push(`after paid, ${after.told_state} was told`)
  }
  if (after.settled_at && !after.paid_at) broken.push("it settled without having been paid")
  if (broken.length) throw new Violation(`${before.id}: ${broken.join(", ")}`)
}
