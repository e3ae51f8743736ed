import { useRouteModal } from "@medusajs/dashboard/components"
import { useParams } from "react-router-dom"

import type { Problem } from "../../lib/answers"
import { useMay } from "../../lib/permissions"
import { ActionDrawer } from "../forms"
import {
  type FormAction,
  FORM_ACTIONS,
  ProblemActionForm,
  segmentOfAction,
} from "./problem-action-form"
import { useProblem } from "./problem-text"

/** The drawer of an action on a problem; the address names both. */
export const ProblemDrawer = () => {
  const { id = "", problem_id: problemId = id, action: segment } = useParams()
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
