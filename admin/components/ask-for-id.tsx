import { Button, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import { useFormat } from "../lib/format"
import { isUuid } from "../lib/uuid"

/** The text of a list in which nothing was found. Where an id was looked for, the service may know it. */
export function nothingFound(searched: string | undefined) {
  const id = searched?.trim() ?? ""
  return isUuid(id) ? { custom: <AskForId id={id} /> } : "transactions.filtered"
}

const AskForId = ({ id }: { id: string }) => {
  const { t } = useFormat()
  return (
    <div className="flex flex-col items-center gap-y-3 px-6 py-16 text-center">
      <Text weight="plus">{t("transactions.filtered.heading")}</Text>
      <Text size="small" className="text-ui-fg-subtle max-w-prose">
        {t("transactions.filtered.id")}
      </Text>
      <Button size="small" variant="secondary" asChild>
        <Link to={`/payment-service/records/${id}`}>{t("transactions.filtered.ask")}</Link>
      </Button>
    </div>
  )
}
