import { Card, Rows } from "../cards"
import { usePayoutWords } from "../../lib/payout-words"
import type { Payout } from "../../lib/api"
import { LinkTo, OrderLink } from "../link-to"
import { Id } from "../transaction-details"
import { ProblemLink } from "./problem-link"

/** A payout's sums, card, history of people and times, and ids. */
export const PayoutDetails = ({ payout }: { payout: Payout }) => {
  const { t, rubles, usdt, card, moment } = usePayoutWords()
  const by = (at: string | null, person: { name: string } | null) =>
    at === null ? null : [moment(at), person?.name].filter(Boolean).join(" · ")
  const rows = [
    [t("fields.amount"), rubles(payout.amount)],
    [t("payout.fields.debited"), payout.amount_usdt === null ? null : usdt(payout.amount_usdt)],
    [t("payout.fields.card"), card(payout)],
    [t("payout.fields.card_label"), payout.card_label],
    [t("payout.fields.note"), payout.note],
    [t("payout.fields.made"), by(payout.created_at, payout.made_by)],
    [t("payout.fields.approved"), by(payout.approved_at, payout.approved_by)],
    [t("payout.fields.sent"), by(payout.sent_at, payout.sent_by)],
    [
      t("payout.fields.answered_at"),
      // For an unknown payout, this is not the time of an answer.
      payout.state === "unknown" || payout.answered_at === null ? null : moment(payout.answered_at),
    ],
    [t("payout.fields.marked"), by(payout.marked_at, payout.marked_by)],
    [t("payout.fields.mark_note"), payout.marked_at && payout.mark_note],
    [
      t("payout.fields.withdrawal_record_id"),
      payout.withdrawal_record_id && <Id value={payout.withdrawal_record_id} />,
    ],
    [
      t("payout.fields.idempotency_key"),
      payout.idempotency_key && <Id value={payout.idempotency_key} />,
    ],
    [t("fields.reference"), <Id key="id" value={payout.id} />],
    [t("fields.account"), payout.account],
    [t("fields.merchant"), <Id key="merchant" value={payout.merchant_id} />],
  ] as const
  return (
    <Card title={t("details.title")}>
      <Rows of={rows} />
    </Card>
  )
}

/** The order, the problem and the payment of a payout; nothing if it has none. */
export const PayoutLinks = ({ payout }: { payout: Payout }) => {
  const { t } = usePayoutWords()
  const { order_id, order_display_id, problem_id, transaction_row_id } = payout
  if (!order_id && !problem_id && !transaction_row_id) return null
  return (
    <Card title={t("links.title")}>
      <Rows
        of={[
          [t("fields.order"), order_id && <OrderLink id={order_id} number={order_display_id} />],
          [t("fields.problem"), problem_id && <ProblemLink id={problem_id} />],
          [
            t("fields.transaction_id"),
            transaction_row_id && (
              <LinkTo to={`/payment-service/transactions/${transaction_row_id}`}>
                {t("places.transaction")}
              </LinkTo>
            ),
          ],
        ]}
      />
    </Card>
  )
}
