import { RouteDrawer, useRouteModal } from "@medusajs/dashboard/components"
import { Hint, Input, Label, toast } from "@medusajs/ui"
import { useState } from "react"

import { useFormat } from "../lib/format"
import { useIdentify } from "../lib/queries"
import { useErrorWords } from "../lib/refusal"
import { isUuid } from "../lib/uuid"
import { ActionForm, ActionHeader } from "./action-form"

/** Takes the service's id of a payment whose creation had no reply, as the service's account area shows it. */
export const EnterId = ({ id }: { id: string }) => {
  const { t, text } = useFormat()
  const { handleSuccess } = useRouteModal()
  const words = useErrorWords()
  const identify = useIdentify(id)
  const [entered, setEntered] = useState("")
  const isId = isUuid(entered.trim())
  const isWrong = entered.trim() !== "" && !isId
  const send = () =>
    identify.mutate(entered.trim(), {
      onSuccess: ({ verdict: { messages } }) => {
        toast.success(t("identify.done"), { description: text(messages) })
        handleSuccess()
      },
      onError: (error) => toast.error(t("identify.refused"), { description: words(error) }),
    })
  return (
    <ActionForm
      label={t("identify.action")}
      isBusy={identify.isPending}
      isPossible={isId}
      doIt={send}
    >
      <ActionHeader title={t("identify.label")}>{t("identify.whatHappens")}</ActionHeader>
      <RouteDrawer.Body className="flex flex-col gap-y-2 overflow-y-auto">
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
      </RouteDrawer.Body>
    </ActionForm>
  )
}
