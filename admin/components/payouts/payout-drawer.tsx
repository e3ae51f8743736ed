import type { ComponentType } from "react"
import { useParams } from "react-router-dom"

import { usePayout } from "../../lib/payout-queries"
import type { Payout, PayoutAction } from "../../lib/api"
import { useMayDo } from "../../lib/use-may-do"
import { ActionDrawer } from "../action-drawer"

interface PayoutDrawerProps {
  /** The actions that the form is for; any of them opens it. */
  actions: PayoutAction[]
  Form: ComponentType<{ payout: Payout }>
}

/** The drawer of an action on the payout in the address. */
export const PayoutDrawer = (drawer: PayoutDrawerProps) => {
  const { data } = usePayout(useParams().id ?? "")
  return data ? <Content payout={data.payout} {...drawer} /> : null
}

const Content = ({ payout, actions, Form }: PayoutDrawerProps & { payout: Payout }) => {
  const may = useMayDo(payout)
  return (
    <ActionDrawer isPossible={actions.some(may)}>
      <Form payout={payout} />
    </ActionDrawer>
  )
}
