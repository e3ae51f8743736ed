import { exportTransactions } from "../export-file"

export const GET = exportTransactions("csv")
export { GET as POST }
