import { useSearchParams } from "react-router-dom"

import { ExportDrawer } from "../../../../components/exports/export-drawer"
import { useServiceFilters } from "../../../../components/payments/service-list"
import { useStoreFilters } from "../../../../components/payments/store-list"
import { useFormat } from "../../../../lib/format"
import { ownZone } from "../../../../lib/period"

/** Exports the list of transactions with its filters. */
const ExportPage = () => {
  const { t } = useFormat()
  const [params] = useSearchParams()
  const [ofStore, ofService] = [useStoreFilters(), useServiceFilters()]
  const source = params.get("source") === "service" ? "service" : "store"
  const query = source === "service" ? ofService : { ...ofStore, time_zone: ownZone() }
  return (
    <ExportDrawer
      title={t("exports.title")}
      asked={{ file: "transactions", source, query: { ...query, source } }}
      // Of the store's payments, those are meant that were paid then.
      datesOf={({ from, to }) =>
        source === "service"
          ? { from, to }
          : { from: undefined, to: undefined, paid_from: from, paid_to: to }
      }
    />
  )
}

export default ExportPage
