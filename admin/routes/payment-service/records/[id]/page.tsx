import { type UIMatch, useParams } from "react-router-dom"

import { Card, CardsPage } from "../../../../components/cards"
import { LinkTo } from "../../../../components/link-to"
import { RecordFields, useRecord } from "../../../../components/payments/service-record"
import { formatForTitle, useFormat } from "../../../../lib/format"

/** A record of the service that this store may not know. */
const RecordPage = () => {
  const { id = "" } = useParams()
  const { t } = useFormat()
  const { data } = useRecord(id)
  const rowId = data?.transaction_row_id
  const known = rowId && (
    <LinkTo to={`/payment-service/transactions/${rowId}`}>{t("record.known")}</LinkTo>
  )
  return (
    <CardsPage
      zone="payment_service_record.details"
      list="transactions"
      main={{
        ServiceRecord: (
          <Card title={t("record.title")} level="h1" note={data && (known ?? t("record.unknown"))}>
            <RecordFields id={id} />
          </Card>
        ),
      }}
    />
  )
}

export const handle = {
  breadcrumb: ({ params }: UIMatch) => <>{params.id}</>,
  seo: ({ params }: UIMatch) => ({
    title: `${formatForTitle().t("record.title")} · ${params.id ?? ""}`,
  }),
}

export default RecordPage
