import { SectionRow } from "@medusajs/dashboard/components"

import { Card } from "./cards"
import type { RefundProof } from "../lib/api"
import { useFormat } from "../lib/format"
import { useMay } from "../lib/permissions"
import { LinkTo } from "./link-to"

/** The money that went back, with its proofs and their authors; nothing without proofs. */
export const RefundProofs = ({ proofs }: { proofs: RefundProof[] }) => {
  const { t } = useFormat()
  if (!proofs.length) return null
  return (
    <Card title={t("proofs.title")}>
      {proofs.map((proof) => (
        <Proof key={proof.id} proof={proof} />
      ))}
    </Card>
  )
}

/** A proof, with its payout. */
const Proof = ({ proof }: { proof: RefundProof }) => {
  const { money, moment, word } = useFormat()
  const mayReadPayouts = useMay("read", "payment_service_payout")
  const { payout_id: payoutId } = proof
  const kind = word("proofs.kinds", proof.kind)
  const facts = [
    moment(proof.given_at, "short"),
    proof.given_by_name,
    // The note of a payout's proof only names the payout, in English.
    payoutId === null ? proof.note : null,
  ].filter(Boolean)
  return (
    <SectionRow
      title={money(proof.amount, proof.currency)}
      value={
        <span className="min-w-0 break-words">
          {payoutId !== null && mayReadPayouts ? (
            <LinkTo to={`/payment-service/payouts/${payoutId}`}>{kind}</LinkTo>
          ) : (
            kind
          )}
          {` · ${facts.join(" · ")}`}
        </span>
      }
    />
  )
}
