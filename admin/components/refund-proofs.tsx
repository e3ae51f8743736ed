import { SectionRow } from "@medusajs/dashboard/components"
import { Container, Heading } from "@medusajs/ui"

import type { RefundProof } from "../lib/api"
import { useFormat } from "../lib/format"

/** The money that went back, with its proofs and their authors; nothing without proofs. */
export const RefundProofs = ({ proofs }: { proofs: RefundProof[] }) => {
  const { t, money, moment, word } = useFormat()
  if (!proofs.length) return null
  return (
    <Container className="divide-y p-0">
      <Heading level="h2" className="px-6 py-4">
        {t("proofs.title")}
      </Heading>
      {proofs.map((proof) => (
        <SectionRow
          key={proof.id}
          title={money(proof.amount, proof.currency)}
          value={[
            word("proofs.kinds", proof.kind),
            moment(proof.given_at, "short"),
            ...[proof.given_by_name, proof.note].filter(Boolean),
          ].join(" · ")}
        />
      ))}
    </Container>
  )
}
