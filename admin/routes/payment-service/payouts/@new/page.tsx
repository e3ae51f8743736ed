import { RouteFocusModal } from "@medusajs/dashboard/components"
import { Navigate, useSearchParams } from "react-router-dom"

import { PayoutDraft } from "../../../../components/payouts/payout-steps"
import { usePayoutSettings } from "../../../../components/payouts/payout-gate"
import { useFormat } from "../../../../lib/format"

const LIST = "/payment-service/payouts"

/** Makes a payout and sends it. The address bar gets the draft's id, so that a reload and a second tab continue the same payout. */
const NewPayoutModal = () => {
  const { t } = useFormat()
  const [params] = useSearchParams()
  const { data: settings, isError } = usePayoutSettings()
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
    <RouteFocusModal prev={back}>
      <RouteFocusModal.Header />
      <RouteFocusModal.Title asChild>
        <span className="sr-only">{t("payout.new.title")}</span>
      </RouteFocusModal.Title>
      <RouteFocusModal.Description asChild>
        <span className="sr-only">{t("payout.new.description")}</span>
      </RouteFocusModal.Description>
      {settings && <PayoutDraft settings={settings} />}
    </RouteFocusModal>
  )
}

export default NewPayoutModal
