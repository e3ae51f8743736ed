import { Button, Container, Heading, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import type { TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { useMay } from "../lib/permissions"
import { CheckNow } from "./check-now"
import { FailedCheck } from "./failed-check"
import { LastAsked } from "./last-asked"
import { StandingBadge } from "./standing"

/** Whether it was paid, in one sentence, with the time of the last read and a button for another one. */
export const PaymentVerdict = ({ id, answer }: { id: string; answer: TransactionAnswer }) => {
  const { t, sumOf, text, word } = useFormat()
  const mayEnter = useMay("update")
  const { transaction, verdict } = answer
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>{sumOf(transaction)}</Heading>
          <StandingBadge standing={transaction.standing} />
        </div>
        {transaction.standing === "unanswered" ? (
          mayEnter && (
            <Button size="small" variant="secondary" asChild>
              <Link to={`/payment-service/transactions/${id}/identify`}>{t("identify.label")}</Link>
            </Button>
          )
        ) : (
          <CheckNow id={id} isPossible={transaction.transaction_id !== null} />
        )}
      </div>
      <Text role="status">{text(verdict.messages)}</Text>
      <Text size="small" className="text-ui-fg-subtle">
        {word("methods", transaction.method)}
        {" · "}
        <LastAsked at={transaction.read_at} />
      </Text>
      <FailedCheck id={id} />
    </Container>
  )
}
