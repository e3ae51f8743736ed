import type {
  BigNumberInput,
  ConfirmVariantInventoryWorkflowInputDTO,
  CreateAdjustmentDTO,
  CreateLineItemDTO,
  CreateTaxLineDTO,
  MedusaContainer,
} from "@medusajs/framework/types"

import type { AmountInput } from "../settlement/amount"
import { readGraph } from "./graph"

export const ADDRESS_FIELDS = [
  "first_name",
  "last_name",
  "phone",
  "company",
  "address_1",
  "address_2",
  "city",
  "country_code",
  "province",
  "postal_code",
] as const
export type Address = Partial<Record<(typeof ADDRESS_FIELDS)[number], string | null>>

/** The fields that lines of orders and of carts have in common, apart from price and quantity. */
export const LINE_FIELDS = [
  "title",
  "subtitle",
  "thumbnail",
  "product_id",
  "product_title",
  "product_description",
  "product_subtitle",
  "product_type",
  "product_type_id",
  "product_collection",
  "product_handle",
  "variant_id",
  "variant_sku",
  "variant_barcode",
  "variant_title",
  "variant_option_values",
  "requires_shipping",
  "is_discountable",
  "is_tax_inclusive",
  "metadata",
] as const satisfies (keyof CreateLineItemDTO)[]

/** Taxes and discounts of a line or a shipping method. */
export interface Charges {
  tax_lines?: CreateTaxLineDTO[]
  adjustments?: (CreateAdjustmentDTO & { raw_amount?: BigNumberInput })[]
}
type OrderLine = Pick<CreateLineItemDTO, (typeof LINE_FIELDS)[number]> &
  Charges & {
    unit_price: BigNumberInput
    raw_unit_price?: BigNumberInput
    detail: { quantity: BigNumberInput }
  }
interface OrderShipping extends Charges {
  name: string
  amount: BigNumberInput
  raw_amount?: BigNumberInput
  is_tax_inclusive: boolean
  shipping_option_id: string | null
  data: Record<string, unknown> | null
}
/** An order with everything that is copied to a new cart. */
export interface OrderToCopy {
  region_id: string
  sales_channel_id: string
  customer_id: string | null
  email: string | null
  currency_code: string
  total: AmountInput
  metadata: Record<string, unknown> | null
  shipping_address: Address | null
  billing_address: Address | null
  items: OrderLine[]
  shipping_methods: OrderShipping[]
}

export async function findOrderToCopy(container: MedusaContainer, id: string) {
  const [order] = await readGraph<OrderToCopy>(container, {
    entity: "order",
    fields: [
      "region_id",
      "sales_channel_id",
      "customer_id",
      "email",
      "currency_code",
      "total",
      "metadata",
      ...ADDRESS_FIELDS.flatMap((field) => [
        `shipping_address.${field}`,
        `billing_address.${field}`,
      ]),
      "items.*",
      "items.detail.*",
      "items.tax_lines.*",
      "items.adjustments.*",
      "shipping_methods.*",
      "shipping_methods.tax_lines.*",
      "shipping_methods.adjustments.*",
    ],
    filters: { id },
  })
  return order ?? null
}

/** The fields of variants that core reads to check a cart's stock. */
const STOCK_FIELDS = [
  "id",
  "manage_inventory",
  "allow_backorder",
  "inventory_items.inventory_item_id",
  "inventory_items.variant_id",
  "inventory_items.required_quantity",
  ...["stocked_quantity", "reserved_quantity", "raw_stocked_quantity", "raw_reserved_quantity"].map(
    (field) => `inventory_items.inventory.location_levels.${field}`
  ),
  "inventory_items.inventory.location_levels.location_id",
  "inventory_items.inventory.location_levels.stock_locations.id",
  "inventory_items.inventory.location_levels.stock_locations.sales_channels.id",
]

type VariantStock = ConfirmVariantInventoryWorkflowInputDTO["variants"][number]

/** The stock of these variants, in the form of core's own check. */
export async function listVariantStock(container: MedusaContainer, ids: string[]) {
  return await readGraph<VariantStock>(container, {
    entity: "variant",
    fields: STOCK_FIELDS,
    filters: { id: ids },
  })
}
