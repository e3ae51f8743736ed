import { reader } from "@lib/constants"
import { PaymentLinkPanel } from "medusa-payment-sbp-crypto/storefront"

type Props = { params: Promise<{ id: string }> }

export default async function PaymentLinkPage({ params }: Props) {
  const { id } = await params

  return (
    <div className="content-container max-w-2xl py-12">
      <title>Payment</title>
      <PaymentLinkPanel heading={1} collectionId={id} reader={reader} />
    </div>
  )
}
