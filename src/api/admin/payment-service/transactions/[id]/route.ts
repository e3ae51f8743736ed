import { inReadersLanguage } from "../../in-readers-language"
import { answerWithTransaction, requireTransaction } from "../answer-with-transaction"

export const GET = inReadersLanguage(async (req, res) => {
  await answerWithTransaction(req, res, await requireTransaction(req))
})
