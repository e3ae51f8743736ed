import { Container, Heading, Text } from "@medusajs/ui"

import type { TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { LinkTo } from "./link-to"
import { PaidBackSums } from "./payouts/paid-back"
import { ProblemActions } from "./problem-actions"
import { ProblemText } from "./problem-text"

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
  const { t, word } = useFormat()
  if (!problems.length) return null
  return (
    <Container className="divide-y p-0">
      <Heading level="h2" className="px-6 py-4">
        {t("problems.title")}
      </Heading>
      {problems.map((problem) => (
        <div key={problem.id} className="flex flex-col gap-y-3 px-6 py-4">
          <Text size="small" leading="compact" weight="plus">
            <LinkTo to={`/payment-service/problems/${problem.id}`}>
              {word("problemKinds", problem.kind)}
            </LinkTo>
          </Text>
          <ProblemText
            problem={problem}
            isToldAbove={problem.messages.en === verdict.messages.en}
          />
          <PaidBackSums payOut={problem.pay_out} />
          <ProblemActions
            problem={problem}
            drawersAt={`/payment-service/transactions/${id}/problems/${problem.id}`}
          />
        </div>
      ))}
    </Container>
  )
}
