import { inReadersLanguage } from "../../in-readers-language"
import { answerWithProblem } from "../answer-with-problem"

export const GET = inReadersLanguage(async (req, res) => {
  await answerWithProblem(req, res)
})
