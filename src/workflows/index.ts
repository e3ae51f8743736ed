export { settleCallback } from "./settle/settle-callback"
export { settleTransactionWorkflow, settleTransactionWorkflowId } from "./settle/settle-transaction"
export type { Settled, SettleInput } from "./settle/steps"
