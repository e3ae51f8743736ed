import { Alert } from "@medusajs/ui"

import { useConnection } from "../accounts"
import { CardsPage, NotRead } from "../cards"
import { AccountsCard } from "./accounts-card"
import { CallbacksCard } from "./callbacks-card"
import { RegionsCard, StatusesCard, StoreCard, UnknownAccountsCard } from "./store-cards"
import { useFormat } from "../../lib/format"

/** Shows what is wrong with the connection to the service, before a customer notices. */
export const ConnectionCards = () => {
  const { text } = useFormat()
  const answer = useConnection()
  const { data } = answer
  // An earlier answer stays visible when a later read fails.
  if (!data) return <NotRead answer={answer} />
  return (
    <CardsPage
      zone="payment_service_connection"
      data={data}
      main={{
        PaymentServiceWarnings: (
          <>
            {data.warnings.map(({ messages }) => (
              <Alert key={messages.en} variant="warning">
                {text(messages)}
              </Alert>
            ))}
          </>
        ),
        PaymentServiceAccounts: <AccountsCard accounts={data.accounts} />,
        PaymentServiceCallbacks: <CallbacksCard connection={data} />,
        PaymentServiceUnknownPlaces: <UnknownAccountsCard places={data.unknown_places} />,
      }}
      side={{
        PaymentServiceRegions: <RegionsCard regions={data.regions} />,
        PaymentServiceStore: <StoreCard connection={data} />,
        PaymentServiceStatuses: <StatusesCard connection={data} />,
      }}
    />
  )
}
