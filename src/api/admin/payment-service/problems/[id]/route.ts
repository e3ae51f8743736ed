import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { answerWithProblem } from "../answer-with-problem"

export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  await answerWithProblem(req, res)
}
