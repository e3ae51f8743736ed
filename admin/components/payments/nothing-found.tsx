import { Text } from "@medusajs/ui"

import { isUuid } from "../../lib/address"
import { useFormat } from "../../lib/format"
import { Subtle } from "../cards"
import { ActionLink } from "../link-to"

/** The text of a list in which nothing was found. Where an id was looked for, the service may know it. */
export function nothingFound(searched: string) {
  const id = searched.trim()
  return isUuid(id) ? { custom: <AskForId id={id} /> } : "transactions.filtered"
}

const AskForId = ({ id }: { id: string }) => {
  const { t } = useFormat()
  return (
    <div className="flex flex-col items-center gap-y-3 px-6 py-16 text-center">
      <Text weight="plus">{t("transactions.filtered.heading")}</Text>
      <Subtle className="max-w-prose">{t("transactions.filtered.id")}</Subtle>
      <ActionLink to={`/payment-service/records/${id}`}>
        {t("transactions.filtered.ask")}
      </ActionLink>
    </div>
  )
}
