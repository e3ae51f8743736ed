import { exportPayouts } from "../export-payouts"

export const GET = exportPayouts("xlsx")
