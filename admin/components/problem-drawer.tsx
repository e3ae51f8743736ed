import { useRouteModal } from "@medusajs/dashboard/components"
import { useParams } from "react-router-dom"

import type { Problem } from "../lib/api"
import { useMay } from "../lib/permissions"
import { segmentOfAction, useProblem } from "../lib/queries"
import { DeedDrawer } from "./deed-drawer"
import { type Deed, DEEDS, ProblemDeed } from "./problem-deed"

/** The drawer of a deed on a problem; the address names the deed. */
export const ProblemDrawer = ({ problemId }: { problemId: string }) => {
  const { action } = useParams()
  const { data } = useProblem(problemId)
  const mayAct = useMay("update")
  const deed = DEEDS.find((one) => segmentOfAction(one) === action)
  if (!data || !deed) return null
  return (
    <DeedDrawer key={deed} isPossible={mayAct && data.problem.actions.includes(deed)}>
      <Content problem={data.problem} action={deed} />
    </DeedDrawer>
  )
}

const Content = (deed: { problem: Problem; action: Deed }) => {
  const { handleSuccess } = useRouteModal()
  return <ProblemDeed {...deed} close={() => handleSuccess()} />
}
