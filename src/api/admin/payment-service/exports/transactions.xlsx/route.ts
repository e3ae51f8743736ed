import { exportTransactions } from "../export-file"

export const GET = exportTransactions("xlsx")
export { GET as POST }
