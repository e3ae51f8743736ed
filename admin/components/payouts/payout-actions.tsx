import { Button, toast, usePrompt } from "@medusajs/ui"
import { Link } from "react-router-dom"

import { approvePayout, discardPayout } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { useMayDo } from "../../lib/use-may-do"
import { usePayoutAction } from "../../lib/use-payout-action"
import { Refused } from "./refused"

/** The reader's possible actions on a payout. Each one says what will happen before it is done. */
export const PayoutActions = ({ payout }: { payout: Payout }) => {
  const { t, rubles, toCard } = usePayoutWords()
  const { run, isBusy, refusal } = usePayoutAction()
  const prompt = usePrompt()
  const may = useMayDo(payout)
  const what = { sum: rubles(payout.amount), card: toCard(payout) }

  const approve = async () => {
    const isMeant = await prompt({
      title: t("payout.approve.title", what),
      description: t("payout.approve.whatHappens", what),
      confirmText: t("payout.actions.approve"),
      cancelText: t("actions.cancel"),
      variant: "confirmation",
    })
    if (!isMeant) return
    const done = await run(() => approvePayout(payout.id, { revision: payout.revision }))
    if (typeof done !== "string") toast.success(t("payout.approve.done"))
  }
  const discard = async () => {
    const isMeant = await prompt({
      title: t("payout.discard.title"),
      description: t("payout.discard.whatHappens"),
      confirmText: t("payout.actions.discard"),
      cancelText: t("actions.cancel"),
    })
    if (!isMeant) return
    const done = await run(() => discardPayout(payout.id))
    if (typeof done !== "string") toast.success(t("payout.discard.done"))
  }

  const draftAt = (step: string) => `/payment-service/payouts/new?draft=${payout.id}${step}`
  const buttons = [
    may("send") && (
      <Button key="send" size="small" asChild>
        <Link to={draftAt("")}>{t("payout.actions.send")}</Link>
      </Button>
    ),
    may("approve") && payout.recipient === "saved_card" && (
      <Button key="approve" size="small" onClick={() => void approve()} isLoading={isBusy}>
        {t("payout.actions.approve")}
      </Button>
    ),
    may("approve") && payout.recipient === "typed_number" && (
      <Button key="approve" size="small" asChild>
        <Link to={`/payment-service/payouts/${payout.id}/approve`}>
          {t("payout.actions.approve")}
        </Link>
      </Button>
    ),
    may("send_again") && (
      <Button key="send_again" size="small" variant="secondary" asChild>
        <Link to={`/payment-service/payouts/${payout.id}/send-again`}>
          {t("payout.actions.send_again")}
        </Link>
      </Button>
    ),
    may("mark") && (
      <Button key="mark" size="small" variant="secondary" asChild>
        <Link to={`/payment-service/payouts/${payout.id}/mark`}>{t("payout.actions.mark")}</Link>
      </Button>
    ),
    may("edit") && (
      <Button key="edit" size="small" variant="secondary" asChild>
        <Link to={draftAt("&step=edit")}>{t("payout.actions.edit")}</Link>
      </Button>
    ),
    may("discard") && (
      <Button key="discard" size="small" variant="secondary" onClick={() => void discard()}>
        {t("payout.actions.discard")}
      </Button>
    ),
  ].filter(Boolean)
  return (
    <>
      <Refused refusal={refusal} />
      {buttons.length > 0 && <div className="flex flex-wrap gap-2">{buttons}</div>}
    </>
  )
}
