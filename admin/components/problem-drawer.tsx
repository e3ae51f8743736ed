import { useRouteModal } from "@medusajs/dashboard/components"
import { useParams } from "react-router-dom"

import type { Problem } from "../lib/api"
import { useMay } from "../lib/permissions"
import { segmentOfAction, useProblem } from "../lib/queries"
import { ActionDrawer } from "./action-drawer"
import { type FormAction, FORM_ACTIONS, ProblemActionForm } from "./problem-action-form"

/** The drawer of an action on a problem; the address names the action. */
export const ProblemDrawer = ({ problemId }: { problemId: string }) => {
  const { action: segment } = useParams()
  const { data } = useProblem(problemId)
  const mayAct = useMay("update")
  const action = FORM_ACTIONS.find((one) => segmentOfAction(one) === segment)
  if (!data || !action) return null
  return (
    <ActionDrawer key={action} isPossible={mayAct && data.problem.actions.includes(action)}>
      <Content problem={data.problem} action={action} />
    </ActionDrawer>
  )
}

const Content = (action: { problem: Problem; action: FormAction }) => {
  const { handleSuccess } = useRouteModal()
  return <ProblemActionForm {...action} close={() => handleSuccess()} />
}
