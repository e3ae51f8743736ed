import type {
  BigNumberInput,
  ConfirmVariantInventoryWorkflowInputDTO,
  CreateAdjustmentDTO,
  CreateLineItemDTO,
  CreateTaxLineDTO,
  MedusaContainer,
  OrderAddressDTO,
  OrderDTO,
  OrderLineItemDTO,
} from "@medusajs/framework/types"
import { MedusaError, Modules, removeNullish } from "@medusajs/framework/utils"
import {
  confirmVariantInventoryWorkflow,
  createPaymentCollectionForCartWorkflow,
} from "@medusajs/medusa/core-flows"

import { refused } from "../refusals/refused"
import { toWireAmount } from "../values/amount"
import { COPIED_FOR } from "./order"
import { findCart, listCarts, readGraph } from "./reader"

const ADDRESS_FIELDS = [
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
] as const satisfies (keyof OrderAddressDTO)[]

/** The fields that lines of orders and of carts have in common, apart from price and quantity. */
const LINE_FIELDS = [
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
] as const satisfies (keyof OrderLineItemDTO & keyof CreateLineItemDTO)[]

/** The fields of variants that core reads to check a cart's stock. */
const STOCK_FIELDS = [
  "id",
  "manage_inventory",
  "allow_backorder",
  "inventory_items.*",
  "inventory_items.inventory.location_levels.*",
  "inventory_items.inventory.location_levels.stock_locations.id",
  "inventory_items.inventory.location_levels.stock_locations.sales_channels.id",
]

type Variants = ConfirmVariantInventoryWorkflowInputDTO["variants"]

/**
 * Makes a cart with an order's lines, discounts, shipping and taxes, and so with the same worth, for a payment that came after the
 * order was canceled. The canceled order names that payment from then on, so that no other one gets a new order, too.
 *
 * @throws MedusaError of core when there is not enough stock; `NOT_ALLOWED` when no cart can have the same worth. No cart is left then
 */
export async function copyOrderToCart(container: MedusaContainer, orderId: string, rowId: string) {
  const [order] = await readGraph<OrderDTO>(container, {
    entity: "order",
    fields: [
      "*",
      "total",
      "shipping_address.*",
      "billing_address.*",
      ...["items", "shipping_methods"].flatMap((parts) => [
        `${parts}.*`,
        `${parts}.tax_lines.*`,
        `${parts}.adjustments.*`,
      ]),
      "items.detail.*",
    ],
    filters: { id: orderId },
  })
  if (!order) throw new MedusaError(MedusaError.Types.NOT_FOUND, `Order ${orderId} was not found`)
  const { items = [], shipping_methods: shipping = [], sales_channel_id = "" } = order
  requireOrderable(items, orderId)
  await requireStock(container, items, sales_channel_id)

  const carts = container.resolve(Modules.CART)
  const { id: cartId } = await carts.createCarts({
    currency_code: order.currency_code,
    ...known(order, ["region_id", "sales_channel_id", "customer_id", "email"]),
    ...removeNullish({
      shipping_address: order.shipping_address && known(order.shipping_address, ADDRESS_FIELDS),
      billing_address: order.billing_address && known(order.billing_address, ADDRESS_FIELDS),
    }),
    items: items.map((item) => ({
      ...known(item, LINE_FIELDS),
      title: item.title,
      unit_price: item.raw_unit_price,
      is_custom_price: true,
      quantity: item.detail.quantity,
      ...chargesOf(item),
    })),
  })
  await carts.addShippingMethods(
    shipping.map((method) => ({
      cart_id: cartId,
      name: method.name,
      amount: method.raw_amount,
      is_tax_inclusive: method.is_tax_inclusive,
      ...known(method, ["shipping_option_id"]),
      data: method.data ?? {},
      ...chargesOf(method),
    }))
  )
  await requireSameTotal(container, order, cartId).catch(async (error: unknown) => {
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
function requireOrderable(items: OrderLineItemDTO[], orderId: string): void {
  const shipped = items.filter((item) => !item.variant_id && item.requires_shipping)
  if (shipped.length) {
    throw refused("order_has_foreign_items", { order: orderId, names: titlesOf(shipped) })
  }
}

async function requireStock(
  container: MedusaContainer,
  items: OrderLineItemDTO[],
  sales_channel_id: string
): Promise<void> {
  const wanted = items.flatMap(({ variant_id, detail }) =>
    variant_id ? [{ variant_id, quantity: detail.quantity }] : []
  )
  const variants = await readGraph<Variants[number]>(container, {
    entity: "variant",
    fields: STOCK_FIELDS,
    filters: { id: wanted.map(({ variant_id }) => variant_id) },
  })
  const gone = items.filter(
    ({ variant_id }) => variant_id && !variants.some(({ id }) => id === variant_id)
  )
  if (gone.length) throw refused("products_gone", { names: titlesOf(gone) })
  await confirmVariantInventoryWorkflow(container).run({
    input: { sales_channel_id, variants, items: wanted },
  })
}

const titlesOf = (items: OrderLineItemDTO[]) => items.map(({ title }) => `"${title}"`).join(", ")

/** Refuses a copy of another worth: a cart lacks some parts of an order, a credit for example. */
async function requireSameTotal(
  container: MedusaContainer,
  { id, total, currency_code }: OrderDTO,
  cartId: string
): Promise<void> {
  const [cart] = await listCarts(container, [cartId])
  const [copied, ordered] = [toWireAmount(cart?.total ?? 0), toWireAmount(total)]
  if (copied !== ordered) {
    const currency = currency_code.toUpperCase()
    throw refused("copy_worth_other", {
      order: id,
      copied: { amount: copied, currency },
      ordered: { amount: ordered, currency },
    })
  }
}

/**
 * Taxes and discounts as promised to the customer. The canceled order has counted the use of a promotion: without its code, core
 * neither counts it again nor refuses a promotion that is used up.
 */
function chargesOf({
  tax_lines = [],
  adjustments = [],
}: {
  tax_lines?: object[]
  adjustments?: object[]
}) {
  const of = ["description", "tax_rate_id", "code", "rate", "provider_id"] as const
  type Exact = CreateAdjustmentDTO & { raw_amount: BigNumberInput }
  return {
    tax_lines: (tax_lines as CreateTaxLineDTO[]).map((line) => known(line, of) as CreateTaxLineDTO),
    adjustments: (adjustments as Exact[]).map((adjustment) => ({
      ...known(adjustment, ["promotion_id", "provider_id", "is_tax_inclusive"]),
      description: adjustment.description ?? adjustment.code,
      amount: adjustment.raw_amount,
    })) as CreateAdjustmentDTO[],
  }
}

/** The fields of a record that have a value: for the others, core's defaults apply. */
function known<T extends object, Field extends keyof T>(
  record: T,
  fields: readonly Field[]
): { [Name in Field]?: NonNullable<T[Name]> } {
  const given = fields.filter((field) => record[field] != null && record[field] !== "")
  return Object.fromEntries(given.map((field) => [field, record[field]])) as {
    [Name in Field]?: NonNullable<T[Name]>
  }
}
