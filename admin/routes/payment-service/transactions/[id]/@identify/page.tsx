import { useParams } from "react-router-dom"

import { ActionDrawer } from "../../../../../components/forms"
import { EnterId } from "../../../../../components/payments/enter-id"
import { useTransaction } from "../../../../../components/payments/transaction"
import { useMay } from "../../../../../lib/permissions"

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
