export {
  acceptPaymentWorkflow,
  handleProblemWorkflow,
  recordRefundOutsideWorkflow,
  retryProblemWorkflow,
  type SettleInput,
  settleTransactionWorkflow,
  settleTransactionWorkflowId,
} from "./published"
export type { Settled } from "./settle/settle-transaction"
