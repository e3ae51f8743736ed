import { Combobox } from "@medusajs/dashboard/components"
import { useComboboxData } from "@medusajs/dashboard/hooks"
import { Label } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import { orderPickerKey } from "../../lib/query-keys"
import { sdk } from "../../lib/sdk"

interface OrderPickerProps {
  orderId: string
  onChoose: (orderId: string) => void
}

interface FoundOrders {
  orders: { id: string; display_id: number; email: string | null }[]
  count: number
  offset: number
  limit: number
}

/** Finds an order by its number, its e-mail address or a name, as Medusa's own list of orders does. */
export const OrderPicker = ({ orderId, onChoose }: OrderPickerProps) => {
  const { t } = useFormat()
  const { options, searchValue, onSearchValueChange, fetchNextPage, isFetchingNextPage } =
    useComboboxData({
      queryKey: orderPickerKey,
      queryFn: ({ q, ...params }: { id?: string; q?: string; offset?: number; limit?: number }) =>
        sdk.client.fetch<FoundOrders>("/admin/orders", {
          query: {
            ...params,
            ...(q ? { q: q.replace(/^#/, "") } : {}),
            fields: "id,display_id,email",
            order: "-display_id",
          },
        }),
      getOptions: ({ orders }) =>
        orders.map(({ id, display_id, email }) => ({
          label: [`#${display_id}`, email].filter(Boolean).join(" · "),
          value: id,
        })),
      selectedValue: orderId,
    })
  return (
    <div className="flex flex-col gap-y-2">
      <Label htmlFor="payout-order" size="small" weight="plus">
        {t("fields.order")} <Optional />
      </Label>
      <Combobox
        id="payout-order"
        value={orderId}
        onChange={(chosen) => onChoose(chosen ?? "")}
        options={options}
        searchValue={searchValue}
        onSearchValueChange={onSearchValueChange}
        fetchNextPage={() => void fetchNextPage()}
        isFetchingNextPage={isFetchingNextPage}
        placeholder={t("payout.new.orderPlaceholder")}
        allowClear
      />
    </div>
  )
}

/** Marks a field as optional. */
export const Optional = () => {
  const { t } = useFormat()
  return <span className="txt-compact-small text-ui-fg-subtle">({t("payout.new.optional")})</span>
}
