import { transactionRoute } from "../transaction-route"

export const GET = transactionRoute()
