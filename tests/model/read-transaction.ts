import type { Decision } from "../../src/settlement/decide"
import type { SessionState, TransactionRead } from "../../src/settlement/evidence"
import type { Row } from "./books"
import { Refusal, type Steps } from "./processes"
import { STATUSES } from "./remote-service"
import type { World } from "./world"

const MOST_TRIES = 3

/** Reads a transaction, decides what the read means and records both; again when the row changed meanwhile. */
export function* readTransaction(
  world: World,
  row: Row,
  medusa: SessionState | null = null
): Steps<{ row: Row; read: TransactionRead; decision: Decision }> {
  if (!row.transaction_id) throw new Refusal("this payment was never opened")
  let current = row
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    yield
    const askedAt = world.books.now()
    const read = world.service.read(row.transaction_id)
    yield
    const decision = world.rules.decide({
      row: current,
      read,
      medusa,
      statuses: STATUSES,
      now: world.books.now(),
      placement: world.placement,
    })
    yield
    const recorded = world.books.recordRead(current, { ...read, askedAt }, decision)
    if (recorded) return { row: recorded, read, decision }
    current = world.books.retrieve(row.id)
  }
  throw new Refusal("this payment is being looked at right now")
}
