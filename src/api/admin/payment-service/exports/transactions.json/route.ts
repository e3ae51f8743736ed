import { exportTransactions } from "../export-transactions"

export const GET = exportTransactions("json")
