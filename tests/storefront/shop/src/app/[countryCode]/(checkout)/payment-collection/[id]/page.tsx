import { reader } from "@lib/constants"
import { PaymentLinkPanel } from "medusa-payment-sbp-crypto-storefront"

type Props = { params: Promise<{ id: string }> }

export const metadata = { title: "Payment" }

export default async function PaymentLinkPage({ params }: Props) {
  const { id } = await params
  return <PaymentLinkPanel heading={1} collectionId={id} reader={reader} />
}
