import { Container, Heading, Text } from "@medusajs/ui"
import type { UIMatch } from "react-router-dom"
import { useParams } from "react-router-dom"

import { CardsPage } from "../../../../components/cards"
import { LinkTo } from "../../../../components/link-to"
import { RecordFields } from "../../../../components/service-record"
import { formatForTitle, useFormat } from "../../../../lib/format"
import { useRecord } from "../../../../lib/queries"

/** A record of the service that this store may not know. */
const RecordPage = () => {
  const { id = "" } = useParams()
  const { t } = useFormat()
  const { data } = useRecord(id)
  return (
    <CardsPage
      zone="payment_service_record.details"
      main={{
        ServiceRecord: (
          <Container className="divide-y p-0">
            <div className="flex flex-col gap-y-1 px-6 py-4">
              <Heading>{t("record.title")}</Heading>
              {data && (
                <Text size="small" className="text-ui-fg-subtle">
                  {data.transaction_row_id === null ? (
                    t("record.unknown")
                  ) : (
                    <LinkTo to={`/payment-service/transactions/${data.transaction_row_id}`}>
                      {t("record.known")}
                    </LinkTo>
                  )}
                </Text>
              )}
            </div>
            <RecordFields id={id} />
          </Container>
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
