import { useRouteModal } from "@medusajs/dashboard/components"
import { toast } from "@medusajs/ui"
import { useState } from "react"

import { isUuid } from "../../lib/address"
import { useFormat } from "../../lib/format"
import { ActionForm, TextField } from "../forms"
import { usePaymentAction } from "./verdict"

/** Takes the service's id of a payment whose creation had no reply, as the service's account area shows it. */
export const EnterId = ({ id }: { id: string }) => {
  const { t, text } = useFormat()
  const { handleSuccess } = useRouteModal()
  const identify = usePaymentAction<{ transaction_id: string }>(id, "identify", {
    failed: "identify.refused",
    done: ({ verdict: { messages } }) => {
      toast.success(t("identify.done"), { description: text(messages) })
      handleSuccess()
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
