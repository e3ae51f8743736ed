import type {
  CreateAdjustmentDTO,
  CreateTaxLineDTO,
  MedusaContainer,
  BigNumberInput,
  ConfirmVariantInventoryWorkflowInputDTO,
  CreateLineItemDTO,
} from "@medusajs/framework/types"
import { MedusaError, Modules, removeNullish } from "@medusajs/framework/utils"
import {
  confirmVariantInventoryWorkflow,
  createPaymentCollectionForCartWorkflow,
} from "@medusajs/medusa/core-flows"

import { findCart, listCarts } from "../../medusa/cart"
import { readGraph } from "../../medusa/graph"
import { COPIED_FOR } from "../../medusa/order"
import { refused } from "../../modules/payment-service/refused-deed"
import { toWireAmount, type AmountInput } from "../../settlement/amount"

/**
 * Makes a cart with an order's lines, discounts, shipping and taxes, and so with the same worth. A canceled order cannot be
 * opened again, so a late payment gets a new order, made from this cart. The canceled order names that payment from then on, so
 * that no other one gets a new order, too.
 *
 * @throws MedusaError of core when there is not enough stock; `NOT_ALLOWED` when no cart can have the same worth. No cart is left
 * then
 */
export async function copyOrderToCart(container: MedusaContainer, orderId: string, rowId: string) {
  const order = await findOrderToCopy(container, orderId)
  if (!order) throw new MedusaError(MedusaError.Types.NOT_FOUND, `Order ${orderId} was not found`)
  requireOrderable(order, orderId)
  await requireStock(container, order)

  const carts = container.resolve(Modules.CART)
  const { id: cartId } = await carts.createCarts({
    region_id: order.region_id,
    sales_channel_id: order.sales_channel_id,
    currency_code: order.currency_code,
    ...known({ customer_id: order.customer_id || null, email: order.email || null }),
    ...addresses(order),
    items: order.items.map((item) => ({
      ...pick(item, LINE_FIELDS),
      unit_price: item.raw_unit_price ?? item.unit_price,
      is_custom_price: true,
      quantity: item.detail.quantity,
      ...chargesOf(item),
    })),
  })
  await carts.addShippingMethods(
    order.shipping_methods.map((method) => ({
      cart_id: cartId,
      name: method.name,
      amount: method.raw_amount ?? method.amount,
      is_tax_inclusive: method.is_tax_inclusive,
      ...(method.shipping_option_id ? { shipping_option_id: method.shipping_option_id } : {}),
      data: method.data ?? {},
      ...chargesOf(method),
    }))
  )
  await requireSameTotal(container, order, { orderId, cartId }).catch(async (error: unknown) => {
    await carts.deleteCarts(cartId)
    throw error
  })
  await container
    .resolve(Modules.ORDER)
    .updateOrders(orderId, { metadata: { ...order.metadata, [COPIED_FOR]: rowId } })
  const { result: collection } = await createPaymentCollectionForCartWorkflow(container).run({
    input: { cart_id: cartId },
  })
  return { collectionId: collection.id, cart: await findCart(container, collection.id) }
}

/** Core does not complete a cart with a shipped item that is no product of the shop. */
function requireOrderable({ items }: OrderToCopy, orderId: string): void {
  const shipped = items.filter((item) => !item.variant_id && item.requires_shipping)
  if (shipped.length) {
    const names = shipped.map(({ title }) => `"${title}"`).join(", ")
    throw refused("order_has_foreign_items", { order: orderId, names })
  }
}

async function requireStock(container: MedusaContainer, { items, sales_channel_id }: OrderToCopy) {
  const wanted = items.flatMap(({ variant_id, detail }) =>
    variant_id ? [{ variant_id, quantity: detail.quantity }] : []
  )
  const variants = await listVariantStock(
    container,
    wanted.map(({ variant_id }) => variant_id)
  )
  const gone = items.filter(
    ({ variant_id }) => variant_id && !variants.some(({ id }) => id === variant_id)
  )
  if (gone.length) {
    const names = gone.map(({ title }) => `"${title}"`).join(", ")
    throw refused("products_gone", { names })
  }
  await confirmVariantInventoryWorkflow(container).run({
    input: { sales_channel_id, variants, items: wanted },
  })
}

/** Refuses a copy of another worth: a cart lacks some parts of an order, a credit for example. */
async function requireSameTotal(
  container: MedusaContainer,
  { total, currency_code }: OrderToCopy,
  { orderId, cartId }: { orderId: string; cartId: string }
): Promise<void> {
  const [cart] = await listCarts(container, [cartId])
  const [copied, ordered] = [toWireAmount(cart?.total ?? 0), toWireAmount(total)]
  if (copied !== ordered) {
    const currency = currency_code.toUpperCase()
    throw refused("copy_worth_other", {
      order: orderId,
      copied: { amount: copied, currency },
      ordered: { amount: ordered, currency },
    })
  }
}

/**
 * Taxes and discounts as promised to the customer. The canceled order has counted the use of a promotion: without its code, core
 * neither counts it again nor refuses a promotion that is used up.
 */
function chargesOf({ tax_lines = [], adjustments = [] }: Charges) {
  return {
    tax_lines: tax_lines.map(({ description, tax_rate_id, code, rate, provider_id }) =>
      known({ description, tax_rate_id, code, rate, provider_id })
    ) as CreateTaxLineDTO[],
    adjustments: adjustments.map((adjustment) => {
      const { amount, raw_amount, code, description, promotion_id, provider_id, is_tax_inclusive } =
        adjustment
      return known({
        amount: raw_amount ?? amount,
        description: description ?? code,
        promotion_id,
        provider_id,
        is_tax_inclusive,
      })
    }) as CreateAdjustmentDTO[],
  }
}

function pick<T extends object, Key extends keyof T>(
  record: T,
  keys: readonly Key[]
): Pick<T, Key> {
  return known(Object.fromEntries(keys.map((key) => [key, record[key]]))) as Pick<T, Key>
}

/** Drops values that are null or undefined, so that core's defaults apply. */
function known<T extends object>(record: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return removeNullish(record as Record<string, unknown>) as {
    [Name in keyof T]?: NonNullable<T[Name]>
  }
}

function addresses(order: OrderToCopy) {
  const given = (address: Address | null) =>
    address &&
    known(Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, address[name] || null])))
  return known({
    shipping_address: given(order.shipping_address),
    billing_address: given(order.billing_address),
  })
}

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
