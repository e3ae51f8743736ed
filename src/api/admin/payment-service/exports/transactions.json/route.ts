import { exportTransactions } from "../export-file"

export const GET = exportTransactions("json")
export { GET as POST }
