import { Button, FocusModal, Heading, Label, Text, Textarea, toast } from "@medusajs/ui"
import { type FormEvent, useState } from "react"

import { useFormat } from "../lib/format"
import { useProblemDeed } from "../lib/queries"
import { useErrorWords } from "../lib/refusal"

interface HandleSeveralProps {
  ids: string[]
  isOpen: boolean
  close: (isDone: boolean) => void
}

/** Marks several problems as taken care of, with one note for all. */
export const HandleSeveral = ({ ids, isOpen, close }: HandleSeveralProps) => {
  const { t } = useFormat()
  const [note, setNote] = useState("")
  const deed = useProblemDeed()
  const words = useErrorWords()
  const handleAll = async (event: FormEvent) => {
    event.preventDefault()
    const answers = await Promise.allSettled(
      ids.map((id) => deed.mutateAsync({ id, action: "handle", body: { note } }))
    )
    const refusals = answers.flatMap((one) =>
      one.status === "rejected" ? [words(one.reason)] : []
    )
    if (refusals.length) {
      // The closed ones are no longer selected; the note stays for the others.
      toast.error(t("problems.someRefused", { count: refusals.length }), {
        description: refusals[0],
      })
      return
    }
    toast.success(t("actions.handle.done"))
    setNote("")
    close(true)
  }
  return (
    <FocusModal open={isOpen} onOpenChange={(open) => !open && close(false)}>
      <FocusModal.Content>
        <form onSubmit={(event) => void handleAll(event)} className="flex h-full flex-col">
          <FocusModal.Header />
          <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-16">
            <div className="flex w-full max-w-lg flex-col gap-y-6 px-6">
              <div className="flex flex-col gap-y-1">
                <FocusModal.Title asChild>
                  <Heading>{t("problems.handleSeveral", { count: ids.length })}</Heading>
                </FocusModal.Title>
                <FocusModal.Description asChild>
                  <Text className="text-ui-fg-subtle">{t("actions.handle.whatHappens")}</Text>
                </FocusModal.Description>
              </div>
              <div className="flex flex-col gap-y-2">
                <Label htmlFor="handle-note" size="small" weight="plus">
                  {t("actions.note")}
                </Label>
                <Textarea
                  id="handle-note"
                  required
                  maxLength={2000}
                  rows={4}
                  placeholder={t("actions.handle.notePlaceholder")}
                  value={note}
                  onChange={({ target }) => setNote(target.value)}
                />
              </div>
            </div>
          </FocusModal.Body>
          <FocusModal.Footer>
            <FocusModal.Close asChild>
              <Button size="small" variant="secondary" type="button">
                {t("actions.cancel")}
              </Button>
            </FocusModal.Close>
            <Button
              size="small"
              type="submit"
              isLoading={deed.isPending}
              disabled={!note.trim() || ids.length === 0}
            >
              {t("actions.handle.label")}
            </Button>
          </FocusModal.Footer>
        </form>
      </FocusModal.Content>
    </FocusModal>
  )
}
