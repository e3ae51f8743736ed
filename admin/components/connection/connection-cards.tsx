import { Alert, Heading } from "@medusajs/ui"

import { useConnection } from "../accounts"
import { CardsPage, NotRead } from "../cards"
import { AccountsCard, ConnectedCard } from "./accounts-card"
import { CallbacksCard } from "./callbacks-card"
import { RegionsCard, StatusesCard, StoreCard, UnknownAccountsCard } from "./store-cards"
import { useFormat } from "../../lib/format"

/** Shows what is wrong with the connection to the service, before a customer notices: to the owner, and beside it to the developer. */
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
        PaymentServiceOwner: <Part name="owner" />,
        PaymentServiceWarnings: (
          <>
            {data.warnings.map(({ messages }) => (
              <Alert key={messages.en} variant="warning">
                {text(messages)}
              </Alert>
            ))}
          </>
        ),
        PaymentServiceConnected: <ConnectedCard connection={data} />,
        PaymentServiceRegions: <RegionsCard regions={data.regions} />,
        PaymentServiceUnknownPlaces: <UnknownAccountsCard places={data.unknown_places} />,
      }}
      side={{
        PaymentServiceDeveloper: <Part name="developer" />,
        PaymentServiceStore: <StoreCard connection={data} />,
        PaymentServiceCallbacks: <CallbacksCard connection={data} />,
        PaymentServiceStatuses: <StatusesCard connection={data} />,
        PaymentServiceAccounts: <AccountsCard accounts={data.accounts} />,
      }}
    />
  )
}

/** The name of one of the two parts. */
const Part = ({ name }: { name: "owner" | "developer" }) => (
  <Heading className="px-2 pt-2">{useFormat().t(`connection.${name}`)}</Heading>
)
