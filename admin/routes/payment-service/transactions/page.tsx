import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Heading, Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { CardsPage, titled } from "../../../components/cards"
import { ExportButton, ExportForm } from "../../../components/exports/export-form"
import { ServiceTransactions, useServiceFilters } from "../../../components/payments/service-list"
import { StoreTransactions, useStoreFilters } from "../../../components/payments/store-list"
import { Search } from "../../../components/list-table"
import { useFormat } from "../../../lib/format"
import { ownZone } from "../../../lib/period"

/** One table with two sources: this store's payments, and the service's own list. Both can look for the same. */
const TransactionsPage = () => (
  <Search>
    <CardsPage
      zone="payment_service_transaction.list"
      main={{ PaymentServiceTransactions: <TwoLists /> }}
    />
  </Search>
)

const TwoLists = () => {
  const { t } = useFormat()
  const [params, setParams] = useSearchParams()
  const source = params.get("source") === "service" ? "service" : "store"
  return (
    <Container className="divide-y p-0">
      <Tabs
        className="divide-y"
        value={source}
        // Filters of one source mean nothing in the other.
        onValueChange={(chosen) => setParams(chosen === "service" ? { source: chosen } : {})}
      >
        <div className="flex items-center justify-between gap-2 px-6 py-4">
          <Heading>{t("transactions.title")}</Heading>
          <ExportButton>
            <TransactionsExport source={source} />
          </ExportButton>
        </div>
        <Tabs.List className="px-6 py-3">
          <Tabs.Trigger value="store">{t("transactions.store")}</Tabs.Trigger>
          <Tabs.Trigger value="service">{t("transactions.service")}</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="store">
          <StoreTransactions />
        </Tabs.Content>
        <Tabs.Content value="service">
          <ServiceTransactions />
        </Tabs.Content>
      </Tabs>
    </Container>
  )
}

const TransactionsExport = ({ source }: { source: "store" | "service" }) => {
  const { t } = useFormat()
  const [ofStore, ofService] = [useStoreFilters(), useServiceFilters()]
  const query = source === "service" ? ofService : { ...ofStore, time_zone: ownZone() }
  return (
    <ExportForm
      title={t("exports.title")}
      source={source}
      query={{ ...query, source }}
      // Of the store's payments, those are meant that were paid then.
      datesOf={({ from, to }) =>
        source === "service"
          ? { from, to }
          : { from: undefined, to: undefined, paid_from: from, paid_to: to }
      }
    />
  )
}

export const config = defineRouteConfig({
  label: "menu.transactions",
  translationNs: "paymentService",
  rank: 1,
})

export const handle = titled("transactions.title")

export default TransactionsPage
