import { Button, Drawer } from "@medusajs/ui"
import { useState } from "react"
import { Link } from "react-router-dom"

import type { Problem } from "../lib/api"
import { useFormat } from "../lib/format"
import { newPayoutAt } from "../lib/new-payout"
import { usePayoutSettings } from "../lib/payout-queries"
import { useMay } from "../lib/permissions"
import { segmentOfAction } from "../lib/queries"
import { type FormAction, ProblemActionForm } from "./problem-action-form"

/** The link contains the whole sum; the form shows how it is split into payouts, and the rest. */
const payoutAt = ({ id, order_id: orderId, pay_out: payOut }: Problem) =>
  newPayoutAt({
    problemId: id,
    orderId,
    amount: payOut?.free ?? null,
    account: payOut?.account ?? null,
  })

export interface ActionsProps {
  problem: Problem
  /** Whether the user may pay out; asked for when the page does not know. */
  mayPayOut?: boolean | undefined
  /** The address above the drawers' routes. Widgets have none: no route of a plugin is drawn over Medusa's own pages. */
  drawersAt?: string
}

/** A problem's possible actions. Each action says what will happen before it is done. */
export const ProblemActions = ({ problem, mayPayOut: known, drawersAt }: ActionsProps) => {
  const { t } = useFormat()
  const [chosen, setChosen] = useState<FormAction | null>(null)
  const mayAct = useMay("update")
  const mayMake = useMay("create", "payment_service_payout")
  const hasPayOut = problem.actions.includes("pay_out")
  const { data: settings } = usePayoutSettings(mayMake && hasPayOut && known === undefined)
  const mayPayOut = known ?? (mayMake && settings?.may.create === true)
  const actions = problem.actions.filter((action) => (action === "pay_out" ? mayPayOut : mayAct))
  // The drawer stays after its action has closed the problem, and shows the result.
  if (!mayAct && !mayMake) return null
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {actions.map((action) => {
        const label = t(`actions.${action}.label`)
        if (action !== "pay_out" && !drawersAt) {
          return (
            <Button key={action} size="small" variant="secondary" onClick={() => setChosen(action)}>
              {label}
            </Button>
          )
        }
        const address =
          action === "pay_out" ? payoutAt(problem) : `${drawersAt}/${segmentOfAction(action)}`
        return (
          <Button key={action} size="small" variant="secondary" asChild>
            <Link to={address}>{label}</Link>
          </Button>
        )
      })}
      <Drawer open={chosen !== null} onOpenChange={(isOpen) => !isOpen && setChosen(null)}>
        {chosen && (
          <Drawer.Content>
            <ProblemActionForm problem={problem} action={chosen} close={() => setChosen(null)} />
          </Drawer.Content>
        )}
      </Drawer>
    </div>
  )
}
