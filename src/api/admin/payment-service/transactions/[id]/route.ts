import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { answerWithTransaction, requireTransaction } from "../answer-with-transaction"

export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await answerWithTransaction(req, res, await requireTransaction(req))
}
