import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Alert, Container } from "@medusajs/ui"

import { Failed } from "../../../components/failed"
import { AccountsCard } from "../../../components/connection/accounts-card"
import { CallbacksCard } from "../../../components/connection/callbacks-card"
import {
  RegionsCard,
  StatusesCard,
  StoreCard,
  UnknownMerchantAccountsCard,
} from "../../../components/connection/store-cards"
import { PageSkeleton } from "../../../components/page-skeleton"
import { useFormat } from "../../../lib/format"
import { useConnection } from "../../../lib/overview-queries"

/** Shows what is wrong with the connection to the service, before a customer notices. */
const ConnectionPage = () => {
  const { text } = useFormat()
  const { data, isError, error, refetch } = useConnection()
  // An earlier answer stays visible when a later read fails.
  if (isError && !data)
    return (
      <Container>
        <Failed error={error} retry={refetch} />
      </Container>
    )
  if (!data) return <PageSkeleton />
  return (
    <LayoutComposer
      widgetsZonePrefix="payment_service_connection"
      preferredLayoutId="core:two-column"
      data={data}
      sections={{
        main: (
          <>
            <LayoutComposer.Entry id="PaymentServiceWarnings">
              {data.warnings.map(({ messages }) => (
                <Alert key={messages.en} variant="warning">
                  {text(messages)}
                </Alert>
              ))}
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="PaymentServiceAccounts">
              <AccountsCard accounts={data.accounts} />
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="PaymentServiceCallbacks">
              <CallbacksCard connection={data} />
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="PaymentServiceUnknownPlaces">
              <UnknownMerchantAccountsCard places={data.unknown_places} />
            </LayoutComposer.Entry>
          </>
        ),
        side: (
          <>
            <LayoutComposer.Entry id="PaymentServiceRegions">
              <RegionsCard regions={data.regions} />
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="PaymentServiceStore">
              <StoreCard connection={data} />
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="PaymentServiceStatuses">
              <StatusesCard connection={data} />
            </LayoutComposer.Entry>
          </>
        ),
      }}
    />
  )
}

export const config = defineRouteConfig({
  label: "connection.title",
  translationNs: "paymentService",
  rank: 5,
})

export const handle = {
  breadcrumb: () => <ConnectionBreadcrumb />,
}

const ConnectionBreadcrumb = () => <>{useFormat().t("connection.title")}</>

export default ConnectionPage
