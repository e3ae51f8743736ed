import { FocusModal } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { Navigate, useNavigate, useSearchParams } from "react-router-dom"

import { PayoutDraft } from "../../../../components/payouts/payout-steps"
import { usePayoutSettings } from "../../../../components/payouts/payout-gate"
import { useFormat } from "../../../../lib/format"

const LIST = "/payment-service/payouts"

/** Makes a payout and sends it. The address bar gets the draft's id, so that a reload and a second tab continue the same payout. */
const NewPayoutModal = () => {
  const { t } = useFormat()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { data: settings, isError } = usePayoutSettings()
  const [isOpen, setIsOpen] = useState(false)
  // It is opened after mounting, like Medusa's own modals, so that its animation is seen.
  useEffect(() => setIsOpen(true), [])
  const orderId = params.get("order_id")
  const problemId = params.get("problem_id")
  const back = problemId
    ? `/payment-service/problems/${problemId}`
    : orderId
      ? `/orders/${orderId}`
      : LIST
  const isPossible =
    settings?.enabled &&
    // A person who approved a draft may send it without the right to make one.
    (settings.may.create || params.has("draft")) &&
    settings.accounts.some(({ has_signing_secret }) => has_signing_secret)
  // The list shows the reason.
  if (isError || (settings && !isPossible)) return <Navigate to={LIST} replace />
  return (
    <FocusModal
      open={isOpen}
      onOpenChange={(open) => !open && void navigate(back, { replace: true })}
    >
      <FocusModal.Content>
        <FocusModal.Header />
        <FocusModal.Title asChild>
          <span className="sr-only">{t("payout.new.title")}</span>
        </FocusModal.Title>
        <FocusModal.Description asChild>
          <span className="sr-only">{t("payout.new.description")}</span>
        </FocusModal.Description>
        {settings && <PayoutDraft settings={settings} />}
      </FocusModal.Content>
    </FocusModal>
  )
}

export default NewPayoutModal
