import type { LoaderFunctionArgs, UIMatch } from "react-router-dom"
import { useLoaderData, useParams } from "react-router-dom"

import { CardsPage } from "../../../../components/cards"
import { OtherAttempts } from "../../../../components/other-attempts"
import { PaymentVerdict } from "../../../../components/payment-verdict"
import { RefundProofs } from "../../../../components/refund-proofs"
import { ServiceRecord } from "../../../../components/service-record"
import { TransactionDetails } from "../../../../components/transaction-details"
import { TransactionHistory } from "../../../../components/transaction-history"
import { TransactionLinks } from "../../../../components/transaction-links"
import { TransactionProblems } from "../../../../components/transaction-problems"
import type { ShownTransaction, TransactionAnswer } from "../../../../lib/api"
import { formatForTitle } from "../../../../lib/format"
import { useTransaction } from "../../../../lib/queries"
import { ask } from "../../../../lib/sdk"

/** Everything about one payment: the answer to "the customer says they paid". */
const TransactionPage = () => {
  const { id = "" } = useParams()
  const initialData = useLoaderData<TransactionAnswer | undefined>()
  const { data, error } = useTransaction(id, initialData)
  // An earlier answer stays visible when a later read fails.
  if (!data) {
    if (error) throw error
    return null
  }
  return (
    <CardsPage
      zone="payment_service_transaction.details"
      data={data.transaction}
      main={{
        PaymentVerdict: <PaymentVerdict id={id} answer={data} />,
        TransactionProblems: <TransactionProblems id={id} answer={data} />,
        TransactionDetails: <TransactionDetails transaction={data.transaction} />,
        RefundProofs: <RefundProofs proofs={data.refund_proofs} />,
        ServiceRecord: data.transaction.transaction_id && (
          <ServiceRecord id={data.transaction.transaction_id} />
        ),
        OtherAttempts: <OtherAttempts attempts={data.attempts} />,
      }}
      side={{
        TransactionLinks: <TransactionLinks transaction={data.transaction} />,
        TransactionHistory: <TransactionHistory answer={data} />,
      }}
    />
  )
}

export async function loader({ params }: LoaderFunctionArgs): Promise<TransactionAnswer> {
  return await ask<TransactionAnswer>(`transactions/${encodeURIComponent(params.id ?? "")}`)
}

/** Its sum, and the number of its order if it has one. */
function titleOf({ order_number: order, ...payment }: ShownTransaction): string {
  const sum = formatForTitle().sumOf(payment)
  return order === null ? sum : `${sum} · #${order}`
}

export const handle = {
  breadcrumb: ({ loaderData }: UIMatch<TransactionAnswer | undefined>) => {
    return <>{loaderData && titleOf(loaderData.transaction)}</>
  },
  seo: ({ loaderData }: UIMatch<TransactionAnswer | undefined>) => ({
    title: loaderData && titleOf(loaderData.transaction),
  }),
}

export default TransactionPage
