/**
 * A payment, from its opening to the captured money. `openTransaction` writes our row before the service is asked. Whatever hints at
 * money afterwards (callback, return page, poll, `/complete`, watcher, comparison, admin) only makes the row due, and the queue
 * (`queue.ts`) settles it: it reads the service, asks `decide` (`rules/decide.ts`) what the answer means, takes the lock of what
 * changes, and acts (`apply-decision.ts`) through the port `core` (`ports.ts`). Only our own read proves a payment, and the row
 * keeps the proof, so a settle that is killed, repeated or overtaken ends with one order and one capture. `completeCart` marks a
 * cart while core completes it: a killed completion is finished, or told to a person, and never rolled back. `answer-core.ts` answers
 * what core asks a provider, by the row's proof and without a lock. What Medusa does not know of an order's money is the ledger
 * (`rules/ledger.ts`): `reportBalances` tells what is owed or must go back, and `bookWaiting` (`book-refund.ts`) books only what is proved.
 */

export { type Data, findRow, judgeRow, requireRow, requireUnchanged } from "./answer-core"
export { reportAndBookAfterChange, takeBackUnprovenRefunds } from "./book-refund"
export { beginCompletion, finishKilledCompletion } from "./complete-cart"
export { type SettlePorts, settlePortsOf } from "./ports"
export { requireLock, withCartLock } from "./target-lock"
export { requireRefundProof, takeProof } from "./follow-order"
export { alreadyPaid, holdOpening, payableTransactions } from "./open-transaction"
export { endOfWait, queueOf, type Settled, settleTransaction } from "./queue"
export { type Ports, portsOf, toMedusaError } from "./read-transaction"
export { filterOf, recordSearch } from "./search"
export { startDueWork } from "./start-due-work"
export * from "./transaction-view"
