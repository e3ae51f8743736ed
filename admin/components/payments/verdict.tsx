import { Container, Heading, StatusBadge, Text, toast } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"

import { isUuid } from "../../lib/address"
import type { Standing, TransactionAnswer } from "../../lib/answers"
import { post, reading, useAction, useMay } from "../../lib/sdk"
import { useFormat } from "../../lib/format"
import { Ago, NotDone, Subtle } from "../cards"
import { ActionForm, TextField, useDrawer } from "../forms"
import { Action } from "../link-to"
import { Refund } from "./refund"

/** Whether it was paid, in one sentence, with the time of the last read and a button for another one. */
export const PaymentVerdict = ({ id, answer }: { id: string; answer: TransactionAnswer }) => {
  const { t, sumOf, text, word } = useFormat()
  const mayEnter = useMay("update")
  const { open, drawer } = useDrawer<"id">((_, close) => <EnterId id={id} close={close} />)
  const { transaction, verdict } = answer
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>{sumOf(transaction)}</Heading>
          <StandingBadge standing={transaction.standing} />
        </div>
        {transaction.standing === "unanswered" ? (
          mayEnter && <Action onClick={() => open("id")}>{t("identify.label")}</Action>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Refund payment={transaction} problems={answer.problems} />
            <CheckNow id={id} isPossible={transaction.transaction_id !== null} />
          </div>
        )}
      </div>
      <Text role="status">{text(verdict.messages)}</Text>
      <Subtle>
        {word("methods", transaction.method)}
        {" · "}
        <Ago at={transaction.read_at} isAsked />
      </Subtle>
      {drawer}
    </Container>
  )
}

const pathOf = (id: string) => `transactions/${encodeURIComponent(id)}`

/** Does something at a route of a payment, which answers with the payment as it is then. */
function usePaymentAction<Input extends object = object>(
  id: string,
  segment: string,
  action: { done: (answer: TransactionAnswer) => void; failed?: string }
) {
  const client = useQueryClient()
  return useAction({
    ...action,
    run: (input: Input) => post<TransactionAnswer>(`${pathOf(id)}/${segment}`, { ...input }),
    done: (answer) => {
      client.setQueryData(reading(pathOf(id)).queryKey, answer)
      action.done(answer)
    },
  })
}

/** Takes the service's id of a payment whose creation had no reply, as the service's account area shows it. */
const EnterId = ({ id, close }: { id: string; close: () => void }) => {
  const { t, text } = useFormat()
  const identify = usePaymentAction<{ transaction_id: string }>(id, "identify", {
    failed: "identify.refused",
    done: ({ verdict: { messages } }) => {
      toast.success(t("identify.done"), { description: text(messages) })
      close()
    },
  })
  const [entered, setEntered] = useState("")
  const transaction_id = entered.trim()
  const isId = isUuid(transaction_id)
  return (
    <ActionForm
      title={t("identify.label")}
      description={t("identify.whatHappens")}
      label={t("identify.action")}
      isBusy={identify.isPending}
      isPossible={isId}
      doIt={() => identify.act({ transaction_id })}
    >
      <TextField
        id="transaction-id"
        label={t("fields.transaction_id")}
        hint={t("identify.hint")}
        isWrong={transaction_id !== "" && !isId}
        spellCheck={false}
        value={entered}
        onChange={setEntered}
      />
    </ActionForm>
  )
}

/** Has the service asked about a payment, and says what came of it. */
export const CheckNow = ({ id, isPossible }: { id: string; isPossible: boolean }) => {
  const { t, text } = useFormat()
  const mayCheck = useMay("update")
  const { act, isPending, error } = usePaymentAction(id, "settle", {
    done: ({ verdict: { messages } }) =>
      toast.success(t("verdict.checked"), { description: text(messages) }),
  })
  if (!mayCheck) return null
  return (
    <>
      <Action
        className="w-fit"
        onClick={() => act({})}
        isLoading={isPending}
        disabled={!isPossible}
      >
        {t("verdict.check")}
      </Action>
      <NotDone error={error} />
    </>
  )
}

const COLORS = {
  opening: "grey",
  not_opened: "grey",
  unanswered: "orange",
  payable: "blue",
  over: "grey",
  waiting_for_medusa: "orange",
  settled: "green",
  partly_refunded: "purple",
  refunded: "purple",
  waiting_for_person: "red",
  taken_care_of: "grey",
} as const

/** The standing of a payment, as text and color. */
export const StandingBadge = ({ standing }: { standing: Standing }) => {
  const { word } = useFormat()
  return <StatusBadge color={COLORS[standing]}>{word("standings", standing)}</StatusBadge>
}
