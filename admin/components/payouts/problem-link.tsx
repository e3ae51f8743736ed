import { useFormat } from "../../lib/format"
import { useMay } from "../../lib/permissions"
import { useProblem } from "../../lib/queries"
import { LinkTo } from "../link-to"

/** The problem whose money a payout pays back: its kind, with the order or else the customer. */
export const ProblemLink = ({ id }: { id: string }) => {
  const { t } = useFormat()
  const mayRead = useMay("read")
  return (
    <LinkTo to={`/payment-service/problems/${encodeURIComponent(id)}`}>
      {mayRead ? <ProblemName id={id} /> : t("payout.links.problem")}
    </LinkTo>
  )
}

const ProblemName = ({ id }: { id: string }) => {
  const { t, word } = useFormat()
  const { data } = useProblem(id)
  if (!data) return <>{t("payout.links.problem")}</>
  const { kind, order_number: order, customer_email: email } = data.problem
  const whose = order === null ? email : `#${order}`
  return <>{[word("problemKinds", kind), whose].filter(Boolean).join(" · ")}</>
}
