import { Drawer, Hint, Input, Label, Text, toast } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"

import type { Language, Problem, ProblemAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { useProblemAction } from "../lib/queries"
import { useErrorWords } from "../lib/refusal"
import { ActionForm, ActionHeader } from "./action-form"
import { NoteField } from "./note-field"

/** The actions that have a drawer; `pay_out` leads to a new payout. */
export const FORM_ACTIONS = [
  ...(["retry", "place_order", "accept_amount", "take_instead"] as const),
  ...(["link_order", "replace_order", "refunded_outside", "handle"] as const),
]
export type FormAction = (typeof FORM_ACTIONS)[number]

/** Actions that need a note: what was done, by whom, how the money went back. */
const WITH_NOTE: FormAction[] = ["refunded_outside", "handle"]

/** Actions after which a payment is settled, which Medusa may then refuse. */
const SETTLING: FormAction[] = FORM_ACTIONS.filter((action) => !WITH_NOTE.includes(action))

/** A typed sum in either language: with spaces between thousands, and with a comma or a point. Null for any other text. */
function sumIn(typed: string): string | null {
  const text = typed.replace(/\s/g, "").replace(",", ".")
  return /^\d+(\.\d{1,2})?$/.test(text) ? text : null
}

/** A sum as an admin would type it; one with more digits than anybody would type is left as it is. */
const asTyped = (sum: string, language: Language): string =>
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
export function bodyOf(problem: Problem, action: FormAction, note: string, part = ""): object {
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
  const words = useErrorWords()
  const navigate = useNavigate()
  const [note, setNote] = useState("")
  const whole = problem.refund_begun ?? problem.amount ?? ""
  const shown = asTyped(whole, language)
  const [amount, setAmount] = useState(shown)
  const acting = useProblemAction()
  const needsNote = WITH_NOTE.includes(action)
  const hasSum = action === "refunded_outside" && problem.amount !== null
  // The whole sum is sent with all of its digits.
  const sum = amount === shown ? whole : sumIn(amount)
  const isWrongSum = hasSum && sum === null
  /** Tells what became of the problem: it is still open, has led to another one, waits for Medusa, or is over. */
  const tell = (answer: ProblemAnswer) => {
    const { problem: after, next_problem: next, transaction, retried } = answer
    const refusal = SETTLING.includes(action) ? transaction?.exception_reason : null
    if (retried?.left) {
      toast.info(t("actions.retry.many", { count: retried.now + retried.left, now: retried.now }), {
        description: t("actions.retry.left", { count: retried.left }),
      })
    } else if (after.closed_at === null) {
      toast.warning(t("actions.stillOpen"), { description: text(refusal ?? after.messages) })
    } else if (next) {
      const label = t("actions.seeNext")
      toast.warning(t("actions.nextOpen", { problem: word("problemKinds", next.kind) }), {
        description: text(next.messages),
        action: {
          label,
          altText: label,
          onClick: () => void navigate(`/payment-service/problems/${next.id}`),
        },
      })
    } else if (refusal) {
      toast.warning(t("actions.triedAgain"), { description: text(refusal) })
    } else {
      const description = answer.waits_for_change ? t("actions.waitsForChange") : undefined
      toast.success(t(`actions.${action}.done`), { description })
    }
  }
  const doIt = () =>
    acting.mutate(
      { id: problem.id, action, body: bodyOf(problem, action, note, sum ?? "") },
      {
        onSuccess: (answer) => {
          tell(answer)
          close()
        },
        onError: (error) => toast.error(t("actions.refused"), { description: words(error) }),
      }
    )
  const sums = {
    paid: money(problem.amount, problem.currency),
    cart: money(problem.cart_total ?? problem.amount, problem.currency),
    context: problem.cart_total === null ? "" : "cart",
  }
  return (
    <ActionForm
      label={t(`actions.${action}.label`)}
      isBusy={acting.isPending}
      isPossible={!(needsNote && !note.trim()) && !isWrongSum}
      doIt={doIt}
    >
      <ActionHeader title={t(`actions.${action}.label`)}>
        {t(`actions.${action}.whatHappens`, sums)}
      </ActionHeader>
      <Drawer.Body className="flex flex-col gap-y-4 overflow-y-auto">
        <Text size="small">{text(problem.messages)}</Text>
        {hasSum && (
          <div className="flex flex-col gap-y-2">
            <Label htmlFor="refund-amount" size="small" weight="plus">
              {t("fields.amount")}
            </Label>
            <Input
              id="refund-amount"
              inputMode="decimal"
              value={amount}
              aria-invalid={isWrongSum}
              aria-describedby="refund-amount-hint"
              onChange={({ target }) => setAmount(target.value)}
            />
            <Hint id="refund-amount-hint" variant={isWrongSum ? "error" : "info"}>
              {isWrongSum ? t("actions.sumWrong") : money(sum, problem.currency)}
            </Hint>
          </div>
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
      </Drawer.Body>
    </ActionForm>
  )
}
