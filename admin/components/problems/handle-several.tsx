import { KeyboundForm, RouteFocusModal, useRouteModal } from "@medusajs/dashboard/components"
import { Button, Heading, toast } from "@medusajs/ui"
import { useState } from "react"

import type { Problem } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Subtle } from "../cards"
import { NoteField } from "../forms"
import { Action } from "../link-to"
import { useProblemAction } from "./problem-action-form"

/** Marks several problems as taken care of, with one note for all, and each with the sum that is shown for it. */
export const HandleSeveral = ({ selected }: { selected: Problem[] }) => {
  const { handleSuccess } = useRouteModal()
  const open = selected.filter(({ closed_at }) => closed_at === null)
  // Others have no such action, and are left out.
  const problems = open.filter(({ actions }) => actions.includes("handle"))
  const leftOut = open.length - problems.length
  const { t, reasonOf } = useFormat()
  const [note, setNote] = useState("")
  const acting = useProblemAction()
  const isPossible = note.trim() !== "" && problems.length > 0
  const handleAll = async () => {
    // Ctrl+Enter works while the button does not.
    if (!isPossible || acting.isPending) return
    const answers = await Promise.allSettled(
      problems.map((problem) => acting.actAsync({ problem, action: "handle", note }))
    )
    const refused = answers.filter((one) => one.status === "rejected")
    if (refused.length) {
      // The note stays for those that are still open.
      toast.error(t("problems.someRefused", { count: refused.length }), {
        description: reasonOf(refused[0]?.reason),
      })
      return
    }
    toast.success(t("actions.handle.done"))
    handleSuccess()
  }
  return (
    <KeyboundForm onSubmit={() => void handleAll()} className="flex h-full flex-col">
      <RouteFocusModal.Header />
      <RouteFocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-16">
        <div className="flex w-full max-w-lg flex-col gap-y-6 px-6">
          <div className="flex flex-col gap-y-1">
            <RouteFocusModal.Title asChild>
              <Heading>{t("problems.handleSeveral", { count: problems.length })}</Heading>
            </RouteFocusModal.Title>
            <RouteFocusModal.Description asChild>
              <Subtle>{t("actions.handle.whatHappensToAll")}</Subtle>
            </RouteFocusModal.Description>
            {leftOut > 0 && <Subtle>{t("problems.leftOut", { count: leftOut })}</Subtle>}
          </div>
          <Selected problems={problems} />
          <NoteField
            id="handle-note"
            label={t("actions.note")}
            placeholder={t("actions.handle.notePlaceholder")}
            value={note}
            onChange={setNote}
          />
        </div>
      </RouteFocusModal.Body>
      <RouteFocusModal.Footer>
        <RouteFocusModal.Close asChild>
          <Action type="button">{t("actions.cancel")}</Action>
        </RouteFocusModal.Close>
        <Button size="small" type="submit" isLoading={acting.isPending} disabled={!isPossible}>
          {t("actions.handle.label")}
        </Button>
      </RouteFocusModal.Footer>
    </KeyboundForm>
  )
}

/** The kinds of the selected problems, each with its number, and the sums at stake by currency. */
const Selected = ({ problems }: { problems: Problem[] }) => {
  const { t, money, number, word } = useFormat()
  const counts = new Map<string, number>()
  const sums = new Map<string | null, number>()
  for (const { kind, amount, currency } of problems) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (amount !== null) sums.set(currency, (sums.get(currency) ?? 0) + Number(amount))
  }
  const total = [...sums].map(([currency, sum]) => money(sum.toFixed(2), currency)).join(", ")
  const rows = [...counts].map(([kind, count]) => [word("problemKinds", kind), number(count)])
  if (total) rows.push([t("fields.at_stake"), total])
  return (
    <dl className="flex flex-col gap-y-2">
      {rows.map(([title, value]) => (
        <div key={title} className="txt-compact-small flex items-center justify-between gap-x-4">
          <dt className="text-ui-fg-subtle">{title}</dt>
          <dd className="text-right tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
