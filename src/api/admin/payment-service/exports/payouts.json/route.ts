import { exportPayouts } from "../export-file"

export const GET = exportPayouts("json")
export { GET as POST }
