import { RouteFocusModal } from "@medusajs/dashboard/components"
import { useQuery } from "@tanstack/react-query"
import { useSearchParams } from "react-router-dom"

import { HandleSeveral } from "../../../../components/problems/handle-several"
import type { ProblemsAnswer } from "../../../../lib/answers"
import { useMay } from "../../../../lib/permissions"
import { reading } from "../../../../lib/sdk"

/** `ids` in the address are the problems that were selected in the list, with commas between them. */
const HandlePage = () => {
  const [params] = useSearchParams()
  const id = (params.get("ids") ?? "").split(",")
  const { data } = useQuery(reading<ProblemsAnswer>("problems", { id, limit: id.length }))
  const mayAct = useMay("update")
  if (!data || !mayAct) return null
  return (
    <RouteFocusModal>
      <HandleSeveral selected={data.problems} />
    </RouteFocusModal>
  )
}

export default HandlePage
