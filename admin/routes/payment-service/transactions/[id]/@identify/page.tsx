import { useParams } from "react-router-dom"

import { ActionDrawer } from "../../../../../components/action-drawer"
import { EnterId } from "../../../../../components/enter-id"
import { useMay } from "../../../../../lib/permissions"
import { useTransaction } from "../../../../../lib/queries"

const IdentifyPage = () => {
  const { id = "" } = useParams()
  const { data } = useTransaction(id)
  const mayEnter = useMay("update")
  return (
    <ActionDrawer isPossible={mayEnter && data?.transaction.standing === "unanswered"}>
      <EnterId id={id} />
    </ActionDrawer>
  )
}

export default IdentifyPage
