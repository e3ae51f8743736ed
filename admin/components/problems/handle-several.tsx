import { toast } from "@medusajs/ui"
import { useState } from "react"

import type { Problem } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Subtle } from "../cards"
import { ActionForm, NoteField } from "../forms"
import { useProblemAction } from "./problem-action-form"

/** Marks several problems as taken care of, with one note for all, and each with the sum that is shown for it. */
export const HandleSeveral = ({ selected, close }: { selected: Problem[]; close: () => void }) => {
  const { t, reasonOf } = useFormat()
  const [note, setNote] = useState("")
  // Others have no such action, and are left out.
  const [problems, setProblems] = useState(
    selected.filter(({ actions }) => actions.includes("handle"))
  )
  const [leftOut] = useState(selected.length - problems.length)
  const acting = useProblemAction()
  const handleAll = async () => {
    const answers = await Promise.allSettled(
      problems.map((problem) => acting.actAsync({ problem, action: "handle", note }))
    )
    const refused = answers.filter((one) => one.status === "rejected")
    if (refused.length) {
      // The note stays for those that are still open.
      setProblems(problems.filter((_, index) => answers[index]?.status === "rejected"))
      toast.error(t("problems.someRefused", { count: refused.length }), {
        description: reasonOf(refused[0]?.reason),
      })
      return
    }
    toast.success(t("actions.handle.done"))
    close()
  }
  return (
    <ActionForm
      title={t("problems.handleSeveral", { count: problems.length })}
      description={t("actions.handle.whatHappensToAll")}
      label={t("actions.handle.label")}
      isBusy={acting.isPending}
      isPossible={note.trim() !== ""}
      doIt={() => void handleAll()}
    >
      {leftOut > 0 && <Subtle>{t("problems.leftOut", { count: leftOut })}</Subtle>}
      <Selected problems={problems} />
      <NoteField
        id="handle-note"
        label={t("actions.note")}
        placeholder={t("actions.handle.notePlaceholder")}
        value={note}
        onChange={setNote}
      />
    </ActionForm>
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
