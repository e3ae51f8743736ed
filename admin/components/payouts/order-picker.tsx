import { Combobox } from "@medusajs/dashboard/components"
import { ordersQueryKeys, useComboboxData } from "@medusajs/dashboard/hooks"

import { useFormat } from "../../lib/format"
import { sdk } from "../../lib/sdk"
import { Field } from "../forms"

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
  const { fetchNextPage, ...found } = useComboboxData({
    // The orders to choose from become stale with Medusa's own.
    queryKey: [...ordersQueryKeys.all, "payment_service_order_picker"],
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
    <Field id="payout-order" label={t("fields.order")} isOptional>
      <Combobox
        id="payout-order"
        value={orderId}
        onChange={(chosen) => onChoose(chosen ?? "")}
        options={found.options}
        searchValue={found.searchValue}
        onSearchValueChange={found.onSearchValueChange}
        fetchNextPage={() => void fetchNextPage()}
        isFetchingNextPage={found.isFetchingNextPage}
        placeholder={t("payout.new.orderPlaceholder")}
        allowClear
      />
    </Field>
  )
}
