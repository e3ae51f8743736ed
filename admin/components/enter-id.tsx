import { Button, Drawer, Hint, Input, Label, toast } from "@medusajs/ui"
import { type FormEvent, useState } from "react"

import { useFormat } from "../lib/format"
import { useMay } from "../lib/permissions"
import { useIdentify } from "../lib/queries"
import { useErrorWords } from "../lib/refusal"
import { DeedFooter } from "./deed-footer"

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Takes the service's id of a payment whose creation had no reply, as the service's account area shows it. */
export const EnterId = ({ id }: { id: string }) => {
  const { t } = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const mayEnter = useMay("update")
  if (!mayEnter) return null
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setIsOpen(true)}>
        {t("identify.label")}
      </Button>
      <Drawer open={isOpen} onOpenChange={setIsOpen}>
        {isOpen && <Content id={id} close={() => setIsOpen(false)} />}
      </Drawer>
    </>
  )
}

const Content = ({ id, close }: { id: string; close: () => void }) => {
  const { t, text } = useFormat()
  const words = useErrorWords()
  const identify = useIdentify(id)
  const [entered, setEntered] = useState("")
  const isUuid = UUID.test(entered.trim())
  const isWrong = entered.trim() !== "" && !isUuid
  const send = (event: FormEvent) => {
    event.preventDefault()
    identify.mutate(entered.trim(), {
      onSuccess: ({ verdict: { messages } }) => {
        toast.success(t("identify.done"), { description: text(messages) })
        close()
      },
      onError: (error) => toast.error(t("identify.refused"), { description: words(error) }),
    })
  }
  return (
    <Drawer.Content>
      <form onSubmit={send} className="flex flex-1 flex-col overflow-hidden">
        <Drawer.Header>
          <Drawer.Title>{t("identify.label")}</Drawer.Title>
          <Drawer.Description>{t("identify.whatHappens")}</Drawer.Description>
        </Drawer.Header>
        <Drawer.Body className="flex flex-col gap-y-2 overflow-y-auto">
          <Label htmlFor="transaction-id" size="small" weight="plus">
            {t("fields.transaction_id")}
          </Label>
          <Input
            id="transaction-id"
            autoComplete="off"
            spellCheck={false}
            value={entered}
            aria-invalid={isWrong}
            aria-describedby="transaction-id-hint"
            onChange={({ target }) => setEntered(target.value)}
          />
          <Hint id="transaction-id-hint" variant={isWrong ? "error" : "info"}>
            {t("identify.hint")}
          </Hint>
        </Drawer.Body>
        <DeedFooter label={t("identify.action")} isBusy={identify.isPending} isPossible={isUuid} />
      </form>
    </Drawer.Content>
  )
}
