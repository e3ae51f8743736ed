import { Button, Container, Heading, Text, toast } from "@medusajs/ui"

import type { TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { useMay } from "../lib/permissions"
import { useSettle } from "../lib/queries"
import { StandingBadge } from "./standing"

/** Whether it was paid, in one sentence, when the service was last asked, and a button that asks it now. */
export const PaymentVerdict = ({ id, answer }: { id: string; answer: TransactionAnswer }) => {
  const { t, money, ago, moment, text, word } = useFormat()
  const settle = useSettle(id)
  const mayCheck = useMay("update")
  const { transaction, verdict } = answer
  const check = () => {
    settle.mutate(undefined, {
      onSuccess: ({ verdict: { messages } }) =>
        toast.success(t("verdict.checked"), { description: text(messages) }),
      onError: ({ message }) => toast.error(t("verdict.notChecked"), { description: message }),
    })
  }
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>
            {money(transaction.read_amount ?? transaction.amount, transaction.currency)}
          </Heading>
          <StandingBadge standing={transaction.standing} />
        </div>
        {mayCheck && (
          <Button
            size="small"
            variant="secondary"
            onClick={check}
            isLoading={settle.isPending}
            disabled={transaction.transaction_id === null}
          >
            {t("verdict.check")}
          </Button>
        )}
      </div>
      <Text role="status">{text(verdict.messages)}</Text>
      <Text size="small" className="text-ui-fg-subtle">
        {word("methods", transaction.method)}
        {" · "}
        {transaction.read_at === null ? (
          t("verdict.neverAsked")
        ) : (
          <time dateTime={transaction.read_at} title={moment(transaction.read_at)}>
            {t("verdict.asked", { ago: ago(transaction.read_at) })}
          </time>
        )}
      </Text>
    </Container>
  )
}
