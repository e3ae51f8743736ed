import { reader } from "@lib/constants"
import { PaymentLinkPanel } from "medusa-payment-sbp-crypto/storefront"

type Props = { params: Promise<{ id: string }> }

export default async function PaymentLinkPage({ params }: Props) {
  return (
    <div className="content-container max-w-2xl py-12">
      <PaymentLinkPanel collectionId={(await params).id} reader={reader} />
    </div>
  )
}
