import { Text, toast } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"

import type { Language, Problem, ProblemAction, ProblemAnswer } from "../../lib/answers"
import { post, useAction } from "../../lib/sdk"
import { useFormat } from "../../lib/format"
import { ActionForm, NoteField, TextField } from "../forms"

/** The actions that have a drawer; `pay_out` leads to a new payout. */
export type FormAction = Exclude<ProblemAction, "pay_out">

/** Actions that need a note: what was done, by whom, how the money went back. After the others a payment is settled. */
const WITH_NOTE: FormAction[] = ["refunded_outside", "handle"]

/** A typed sum in either language: with spaces between thousands, and with a comma or a point. Null for any other text. */
export function sumIn(typed: string): string | null {
  const text = typed.replace(/\s/g, "").replace(",", ".")
  return /^\d+(\.\d{1,2})?$/.test(text) ? text : null
}

/** A sum as an admin would type it; one with more digits than anybody would type is left as it is. */
export const asTyped = (sum: string, language: Language): string =>
  /^\d+(\.\d{1,2})?$/.test(sum)
    ? Number(sum)
        .toFixed(2)
        .replace(".", language === "ru" ? "," : ".")
    : sum

/**
 * The body includes what is on the screen, because an action is refused when that has changed.
 *
 * @param part the sum that went back, perhaps not all of it
 */
function bodyOf(problem: Problem, action: FormAction, note: string, part: string): object {
  const { amount, cart_total, order_id } = problem
  switch (action) {
    case "retry":
      return {}
    case "link_order":
    case "replace_order":
      return { amount, order_id }
    case "take_instead":
      return { amount }
    case "place_order":
    case "accept_amount":
      return { amount, cart_total }
    case "refunded_outside":
      return { note, amount, part: part || null }
    case "handle":
      return { note, amount }
  }
}

interface ProblemActionFormProps {
  problem: Problem
  action: FormAction
  close: () => void
}

/** The form of one action, for a drawer: what will happen, and what must be told. */
export const ProblemActionForm = ({ problem, action, close }: ProblemActionFormProps) => {
  const { t, language, money, text, word } = useFormat()
  const navigate = useNavigate()
  const [note, setNote] = useState("")
  const whole = problem.refund_begun ?? problem.amount ?? ""
  const shown = asTyped(whole, language)
  const [amount, setAmount] = useState(shown)
  const needsNote = WITH_NOTE.includes(action)
  const hasSum = action === "refunded_outside" && problem.amount !== null
  // The whole sum is sent with all of its digits.
  const sum = amount === shown ? whole : sumIn(amount)
  const isWrongSum = hasSum && sum === null
  /** Tells what became of the problem: it is still open, has led to another one, waits for Medusa, or is over. */
  const tell = (answer: ProblemAnswer) => {
    const { problem: after, next_problem: next, transaction, retried } = answer
    // Medusa may refuse to settle a payment.
    const refusal = needsNote ? null : transaction?.exception_reason
    if (retried?.left) {
      const { now, left } = retried
      toast.info(t("actions.retry.many", { count: now + left, now }), {
        description: t("actions.retry.left", { count: left }),
      })
    } else if (after.closed_at === null) {
      toast.warning(t("actions.stillOpen"), { description: text(refusal ?? after.messages) })
    } else if (next) {
      const label = t("actions.seeNext")
      const onClick = () => void navigate(`/payment-service/problems/${next.id}`)
      toast.warning(t("actions.nextOpen", { problem: word("problemKinds", next.kind) }), {
        description: text(next.messages),
        action: { label, altText: label, onClick },
      })
    } else if (refusal) {
      toast.warning(t("actions.triedAgain"), { description: text(refusal) })
    } else {
      const description = answer.waits_for_change ? t("actions.waitsForChange") : undefined
      toast.success(t(`actions.${action}.done`), { description })
    }
    close()
  }
  const acting = useAction({
    run: () =>
      post<ProblemAnswer>(
        `problems/${encodeURIComponent(problem.id)}/${action.replace("_", "-")}`,
        bodyOf(problem, action, note, sum ?? "")
      ),
    done: tell,
    failed: "actions.refused",
  })
  const sums = {
    paid: money(problem.amount, problem.currency),
    cart: money(problem.cart_total ?? problem.amount, problem.currency),
    context: problem.cart_total === null ? "" : "cart",
  }
  return (
    <ActionForm
      title={t(`actions.${action}.label`)}
      description={t(`actions.${action}.whatHappens`, sums)}
      label={t(`actions.${action}.label`)}
      isBusy={acting.isPending}
      isPossible={!(needsNote && !note.trim()) && !isWrongSum}
      doIt={() => acting.act()}
    >
      <Text size="small">{text(problem.messages)}</Text>
      {hasSum && (
        <TextField
          id="refund-amount"
          inputMode="decimal"
          label={t("fields.amount")}
          hint={isWrongSum ? t("actions.sumWrong") : money(sum, problem.currency)}
          isWrong={isWrongSum}
          value={amount}
          onChange={setAmount}
        />
      )}
      {needsNote && (
        <NoteField
          id="problem-note"
          label={t("actions.note")}
          placeholder={t(`actions.${action}.notePlaceholder`)}
          value={note}
          onChange={setNote}
        />
      )}
    </ActionForm>
  )
}
