import { exportPayouts } from "../export-file"

export const GET = exportPayouts("xlsx")
export { GET as POST }
