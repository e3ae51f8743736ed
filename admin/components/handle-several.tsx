import { RouteFocusModal, SectionRow, useRouteModal } from "@medusajs/dashboard/components"
import { Button, Heading, Text, toast } from "@medusajs/ui"
import { type FormEvent, useState } from "react"

import type { Problem } from "../lib/api"
import { useFormat } from "../lib/format"
import { useProblemDeed } from "../lib/queries"
import { useErrorWords } from "../lib/refusal"
import { NoteField } from "./note-field"
import { bodyOf } from "./problem-deed"

/** Marks several problems as taken care of, with one note for all, and each with the sum that is shown for it. */
export const HandleSeveral = ({ selected }: { selected: Problem[] }) => {
  const { handleSuccess } = useRouteModal()
  const open = selected.filter(({ closed_at }) => closed_at === null)
  // Others have no such action, and are left out.
  const problems = open.filter(({ actions }) => actions.includes("handle"))
  const leftOut = open.length - problems.length
  const { t } = useFormat()
  const [note, setNote] = useState("")
  const deed = useProblemDeed()
  const words = useErrorWords()
  const handleAll = async (event: FormEvent) => {
    event.preventDefault()
    const answers = await Promise.allSettled(
      problems.map((problem) =>
        deed.mutateAsync({
          id: problem.id,
          action: "handle",
          body: bodyOf(problem, "handle", note),
        })
      )
    )
    const refusals = answers.flatMap((one) =>
      one.status === "rejected" ? [words(one.reason)] : []
    )
    if (refusals.length) {
      // The note stays for those that are still open.
      toast.error(t("problems.someRefused", { count: refusals.length }), {
        description: refusals[0],
      })
      return
    }
    toast.success(t("actions.handle.done"))
    handleSuccess()
  }
  return (
    <form onSubmit={(event) => void handleAll(event)} className="flex h-full flex-col">
      <RouteFocusModal.Header />
      <RouteFocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-16">
        <div className="flex w-full max-w-lg flex-col gap-y-6 px-6">
          <div className="flex flex-col gap-y-1">
            <RouteFocusModal.Title asChild>
              <Heading>{t("problems.handleSeveral", { count: problems.length })}</Heading>
            </RouteFocusModal.Title>
            <RouteFocusModal.Description asChild>
              <Text className="text-ui-fg-subtle">{t("actions.handle.whatHappens")}</Text>
            </RouteFocusModal.Description>
            {leftOut > 0 && (
              <Text className="text-ui-fg-subtle">{t("problems.leftOut", { count: leftOut })}</Text>
            )}
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
          <Button size="small" variant="secondary" type="button">
            {t("actions.cancel")}
          </Button>
        </RouteFocusModal.Close>
        <Button
          size="small"
          type="submit"
          isLoading={deed.isPending}
          disabled={!note.trim() || problems.length === 0}
        >
          {t("actions.handle.label")}
        </Button>
      </RouteFocusModal.Footer>
    </form>
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
  return (
    <div>
      {[...counts].map(([kind, count]) => (
        <SectionRow key={kind} title={word("problemKinds", kind)} value={number(count)} />
      ))}
      {total && <SectionRow title={t("fields.at_stake")} value={total} />}
    </div>
  )
}
