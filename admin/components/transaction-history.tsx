import { Container, Heading } from "@medusajs/ui"

import type { TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { Timeline } from "./timeline"

/** The journal of a payment. */
export const TransactionHistory = ({ answer }: { answer: TransactionAnswer }) => {
  const { t } = useFormat()
  return (
    <Container className="divide-y p-0">
      <Heading level="h2" className="px-6 py-4">
        {t("journal.title")}
      </Heading>
      <Timeline journal={answer.journal} />
    </Container>
  )
}
