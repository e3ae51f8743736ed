import { RouteFocusModal } from "@medusajs/dashboard/components"
import { useSearchParams } from "react-router-dom"

import { HandleSeveral } from "../../../../components/handle-several"
import { useMay } from "../../../../lib/permissions"
import { useProblems } from "../../../../lib/queries"

/** `ids` in the address are the problems that were selected in the list, with commas between them. */
const HandlePage = () => {
  const [params] = useSearchParams()
  const id = (params.get("ids") ?? "").split(",")
  const { data } = useProblems({ id, limit: id.length })
  const mayAct = useMay("update")
  if (!data || !mayAct) return null
  return (
    <RouteFocusModal>
      <HandleSeveral selected={data.problems} />
    </RouteFocusModal>
  )
}

export default HandlePage
