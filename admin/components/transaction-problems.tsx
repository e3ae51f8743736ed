import { Card } from "./cards"
import type { TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { ProblemAmongOthers } from "./problem-text"

interface TransactionProblemsProps {
  /** The one in the page's address. */
  id: string
  answer: Pick<TransactionAnswer, "problems" | "verdict">
}

/** Problems with their possible actions, below the verdict, which mostly has the words of one of them. */
export const TransactionProblems = ({
  id,
  answer: { problems, verdict },
}: TransactionProblemsProps) => {
  const { t } = useFormat()
  if (!problems.length) return null
  return (
    <Card title={t("problems.title")}>
      {problems.map((problem) => (
        <ProblemAmongOthers
          key={problem.id}
          problem={problem}
          isToldAbove={problem.messages.en === verdict.messages.en}
          drawersAt={`/payment-service/transactions/${id}/problems/${problem.id}`}
        />
      ))}
    </Card>
  )
}
