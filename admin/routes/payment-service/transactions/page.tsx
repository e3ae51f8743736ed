import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Heading, Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { CardsPage, titled } from "../../../components/cards"
import { ExportLink } from "../../../components/exports/export-drawer"
import { ServiceTransactions } from "../../../components/payments/service-list"
import { StoreTransactions } from "../../../components/payments/store-list"
import { Search } from "../../../components/search"
import { useFormat } from "../../../lib/format"

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
  return (
    <Container className="divide-y p-0">
      <Tabs
        className="divide-y"
        value={params.get("source") === "service" ? "service" : "store"}
        // Filters of one source mean nothing in the other.
        onValueChange={(source) => setParams(source === "service" ? { source } : {})}
      >
        <div className="flex items-center justify-between gap-2 px-6 py-4">
          <Heading>{t("transactions.title")}</Heading>
          <ExportLink />
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

export const config = defineRouteConfig({
  label: "menu.transactions",
  translationNs: "paymentService",
  rank: 1,
})

export const handle = titled("transactions.title")

export default TransactionsPage
