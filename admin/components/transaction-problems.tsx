import { Container, Heading, Text } from "@medusajs/ui"

import type { TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"

/** The problems of a payment, open ones first as they come, and how the others ended. */
export const TransactionProblems = ({ answer: { problems } }: { answer: TransactionAnswer }) => {
  const { t, text, moment, word } = useFormat()
  if (!problems.length) return null
  return (
    <Container className="divide-y p-0">
      <Heading level="h2" className="px-6 py-4">
        {t("problems.title")}
      </Heading>
      {problems.map((problem) => (
        <div key={problem.id} className="flex flex-col gap-y-1 px-6 py-4">
          <Text size="small" leading="compact" weight="plus">
            {word("problemKinds", problem.kind)}
          </Text>
          <Text size="small">{text(problem.messages)}</Text>
          <Text size="xsmall" className="text-ui-fg-subtle">
            {problem.closed_at === null
              ? t("problems.since", { moment: moment(problem.opened_at) })
              : t("problems.closed", {
                  moment: moment(problem.closed_at),
                  resolution: word("resolutions", problem.resolution),
                })}
            {problem.note ? ` · ${problem.note}` : ""}
          </Text>
        </div>
      ))}
    </Container>
  )
}
