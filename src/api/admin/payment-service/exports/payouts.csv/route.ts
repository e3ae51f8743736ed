import { exportPayouts } from "../export-file"

export const GET = exportPayouts("csv")
export { GET as POST }
