import { CardsPage, named, NotRead } from "../../../../components/cards"
import { ServiceRecord } from "../../../../components/payments/service-record"
import {
  KEPT_FRESH,
  OtherAttempts,
  RefundProofs,
  TransactionDetails,
  TransactionHistory,
  TransactionLinks,
  TransactionProblems,
} from "../../../../components/payments/transaction"
import { PaymentVerdict } from "../../../../components/payments/verdict"
import type { TransactionAnswer } from "../../../../lib/answers"
import { formatForTitle } from "../../../../lib/format"
import { loading, useEntry } from "../../../../lib/sdk"

/** Everything about one payment: the answer to "the customer says they paid". */
const TransactionPage = () => {
  const answer = useEntry("transactions", KEPT_FRESH)
  const { data } = answer
  if (!data) return <NotRead answer={answer} />
  const { transaction } = data
  return (
    <CardsPage
      zone="payment_service_transaction.details"
      list="transactions"
      data={transaction}
      main={{
        PaymentVerdict: <PaymentVerdict answer={data} />,
        TransactionProblems: <TransactionProblems answer={data} />,
        TransactionDetails: <TransactionDetails transaction={transaction} />,
        RefundProofs: <RefundProofs proofs={data.refund_proofs} />,
        ServiceRecord: transaction.transaction_id && (
          <ServiceRecord id={transaction.transaction_id} />
        ),
        OtherAttempts: <OtherAttempts attempts={data.attempts} />,
      }}
      side={{
        TransactionLinks: <TransactionLinks transaction={transaction} />,
        TransactionHistory: <TransactionHistory answer={data} />,
      }}
    />
  )
}

export const loader = loading("transactions")

export const handle = named<TransactionAnswer>(({ transaction }) => {
  const sum = formatForTitle().sumOf(transaction)
  const { order_number: order } = transaction
  return order === null ? sum : `${sum} · #${order}`
})

export default TransactionPage
