import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container, Heading, Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { CardsPage } from "../../../components/cards"
import { ExportLink } from "../../../components/export-link"
import { ServiceTransactions } from "../../../components/service-transactions"
import { StoreTransactions } from "../../../components/store-transactions"
import { useFormat } from "../../../lib/format"

/** One table with two sources: this store's payments, and the service's own list. */
const TransactionsPage = () => {
  const { t } = useFormat()
  const [params, setParams] = useSearchParams()
  const q = params.get("q")
  const source = params.get("source") === "service" ? "service" : "store"
  return (
    <CardsPage
      zone="payment_service_transaction.list"
      main={{
        PaymentServiceTransactions: (
          <Container className="divide-y p-0">
            <Tabs
              className="divide-y"
              value={source}
              // Both can look for the same; filters of one source mean nothing in the other.
              onValueChange={(value) =>
                setParams({
                  ...(value === "service" ? { source: value } : {}),
                  ...(q ? { q } : {}),
                })
              }
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
        ),
      }}
    />
  )
}

export const config = defineRouteConfig({
  label: "menu.transactions",
  translationNs: "paymentService",
  rank: 1,
})

export const handle = {
  breadcrumb: () => <TransactionsBreadcrumb />,
}

const TransactionsBreadcrumb = () => <>{useFormat().t("transactions.title")}</>

export default TransactionsPage
