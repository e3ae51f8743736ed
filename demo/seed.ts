import { writeFile } from "node:fs/promises"
import {
  createApiKeysWorkflow,
  createInventoryLevelsWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  createTaxRegionsWorkflow,
  createUsersWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateStoresWorkflow,
} from "@medusajs/medusa/core-flows"
import type { ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import {
  ApiKeyType,
  ContainerRegistrationKeys,
  Modules,
  ProductStatus,
} from "@medusajs/framework/utils"
import { products } from "./products"

/** The ids by which the demo and the tests use the seeded shop. */
export type SeededShop = { publishableKey: string; regionId: string; variantIds: string[] }

type SeededVariant = {
  id: string
  sku: string
  inventory_items: { inventory_item_id: string }[]
}

const currency = "rub"

/** Run by `medusa exec demo/seed.ts <result file>`. */
export default async function seed({ container, args }: ExecArgs): Promise<void> {
  const [resultFile] = args
  if (!resultFile) throw new Error("Name the file that the result is written to.")
  const shop = await seedShop(container)
  const { DEMO_ADMIN_EMAIL: email, DEMO_ADMIN_PASSWORD: password } = process.env
  if (!email || !password) throw new Error("DEMO_ADMIN_EMAIL and DEMO_ADMIN_PASSWORD are needed.")
  await seedAdministrator(container, { email, password })
  await writeFile(resultFile, JSON.stringify(shop))
}

/**
 * Makes what is missing and leaves alone what is there, so that a second start keeps orders and whatever
 * was changed in the dashboard.
 */
export async function seedShop(container: MedusaContainer): Promise<SeededShop> {
  const salesChannelId = await salesChannel(container)
  const stockLocationId = await stockLocation(container, salesChannelId)
  const shippingProfileId = await shippingProfile(container)
  await shipping(container, stockLocationId, shippingProfileId)
  const regionId = await region(container)
  await storeSettings(container, { salesChannelId, stockLocationId, regionId })
  const variantIds = await assortment(container, {
    salesChannelId,
    stockLocationId,
    shippingProfileId,
  })
  return {
    publishableKey: await publishableKey(container, salesChannelId),
    regionId,
    variantIds,
  }
}

async function salesChannel(container: MedusaContainer): Promise<string> {
  const service = container.resolve(Modules.SALES_CHANNEL)
  const [existing] = await service.listSalesChannels({}, { take: 1, order: { created_at: "ASC" } })
  if (existing) return existing.id
  const { result } = await createSalesChannelsWorkflow(container).run({
    input: { salesChannelsData: [{ name: "Demo storefront" }] },
  })
  return first(result).id
}

async function stockLocation(container: MedusaContainer, salesChannelId: string): Promise<string> {
  const service = container.resolve(Modules.STOCK_LOCATION)
  const name = "Склад в Москве"
  const [existing] = await service.listStockLocations({ name })
  if (existing) return existing.id

  const { result } = await createStockLocationsWorkflow(container).run({
    input: {
      locations: [{ name, address: { address_1: "", city: "Москва", country_code: "ru" } }],
    },
  })
  const { id } = first(result)
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.STOCK_LOCATION]: { stock_location_id: id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" },
  })
  await linkSalesChannelsToStockLocationWorkflow(container).run({
    input: { id, add: [salesChannelId] },
  })
  return id
}

async function shippingProfile(container: MedusaContainer): Promise<string> {
  const service = container.resolve(Modules.FULFILLMENT)
  const [existing] = await service.listShippingProfiles({ type: "default" })
  if (existing) return existing.id
  const { result } = await createShippingProfilesWorkflow(container).run({
    input: { data: [{ name: "Default", type: "default" }] },
  })
  return first(result).id
}

async function shipping(
  container: MedusaContainer,
  stockLocationId: string,
  shippingProfileId: string
): Promise<void> {
  const service = container.resolve(Modules.FULFILLMENT)
  const name = "Доставка по России"
  if ((await service.listShippingOptions({ service_zone: { name } })).length > 0) return

  let [set] = await service.listFulfillmentSets({ name }, { relations: ["service_zones"] })
  if (!set) {
    set = await service.createFulfillmentSets({
      name,
      type: "shipping",
      service_zones: [{ name, geo_zones: [{ country_code: "ru", type: "country" }] }],
    })
    await container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.STOCK_LOCATION]: { stock_location_id: stockLocationId },
      [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
    })
  }
  const zone = first(set.service_zones)
  const option = (title: string, code: string, amount: number) => ({
    name: title,
    price_type: "flat" as const,
    provider_id: "manual_manual",
    service_zone_id: zone.id,
    shipping_profile_id: shippingProfileId,
    type: { label: title, description: title, code },
    prices: [{ currency_code: currency, amount }],
    rules: [
      { attribute: "enabled_in_store", value: "true", operator: "eq" as const },
      { attribute: "is_return", value: "false", operator: "eq" as const },
    ],
  })
  await createShippingOptionsWorkflow(container).run({
    input: [option("Курьер / Courier", "courier", 300), option("Самовывоз / Pickup", "pickup", 0)],
  })
}

async function region(container: MedusaContainer): Promise<string> {
  const [taxRegion] = await container
    .resolve(Modules.TAX)
    .listTaxRegions({ country_code: "ru" }, { take: 1 })
  if (!taxRegion) {
    // Without a rate: the prices of the demo are what the shopper pays.
    await createTaxRegionsWorkflow(container).run({
      input: [{ country_code: "ru", provider_id: "tp_system" }],
    })
  }
  const service = container.resolve(Modules.REGION)
  const [existing] = await service.listRegions({ currency_code: currency }, { take: 1 })
  if (existing) return existing.id
  const { result } = await createRegionsWorkflow(container).run({
    input: {
      regions: [
        {
          name: "Россия",
          currency_code: currency,
          countries: ["ru"],
          payment_providers: process.env.DEMO_IS_EMPTY
            ? ["pp_system_default"]
            : ["pp_sbp_main", "pp_crypto_main"],
        },
      ],
    },
  })
  return first(result).id
}

async function storeSettings(
  container: MedusaContainer,
  defaults: { salesChannelId: string; stockLocationId: string; regionId: string }
): Promise<void> {
  const [store] = await container
    .resolve(Modules.STORE)
    .listStores({}, { relations: ["supported_currencies"] })
  if (!store || store.default_region_id) return
  await updateStoresWorkflow(container).run({
    input: {
      selector: { id: store.id },
      update: {
        name: "Quiet Goods",
        supported_currencies: [{ currency_code: currency, is_default: true }],
        default_sales_channel_id: defaults.salesChannelId,
        default_location_id: defaults.stockLocationId,
        default_region_id: defaults.regionId,
      },
    },
  })
}

/** The variants in the order of `products`, whatever else was added to the shop. */
async function assortment(
  container: MedusaContainer,
  place: { salesChannelId: string; stockLocationId: string; shippingProfileId: string }
): Promise<string[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const skus = products.map(({ sku }) => sku)
  const bySku = async () => {
    const { data } = await query.graph({
      entity: "variant",
      fields: ["id", "sku", "inventory_items.inventory_item_id"],
      filters: { sku: skus },
    })
    const variants = data as SeededVariant[]
    return new Map(variants.map((variant) => [variant.sku, variant]))
  }

  const existing = await bySku()
  // One by one: shops show products by their time of creation, which they would share otherwise.
  for (const product of products.filter(({ sku }) => !existing.has(sku))) {
    await createProductsWorkflow(container).run({
      input: {
        products: [
          {
            title: product.ru.title,
            handle: product.sku,
            description: product.ru.description,
            status: ProductStatus.PUBLISHED,
            shipping_profile_id: place.shippingProfileId,
            sales_channels: [{ id: place.salesChannelId }],
            // The storefront's two languages.
            metadata: {
              title_ru: product.ru.title,
              description_ru: product.ru.description,
              title_en: product.en.title,
              description_en: product.en.description,
            },
            options: [{ title: "Default option", values: ["Default option value"] }],
            variants: [
              {
                title: "Default variant",
                sku: product.sku,
                options: { "Default option": "Default option value" },
                manage_inventory: true,
                prices: [{ currency_code: currency, amount: product.price }],
              },
            ],
          },
        ],
      },
    })
  }

  const variants = await bySku()
  const inventory = container.resolve(Modules.INVENTORY)
  for (const { sku, stock } of products) {
    const itemId = variants.get(sku)?.inventory_items[0]?.inventory_item_id
    if (!itemId) continue
    const levels = await inventory.listInventoryLevels({ inventory_item_id: itemId })
    if (levels.length > 0) continue
    await createInventoryLevelsWorkflow(container).run({
      input: {
        inventory_levels: [
          {
            inventory_item_id: itemId,
            location_id: place.stockLocationId,
            stocked_quantity: stock,
          },
        ],
      },
    })
  }
  return skus.flatMap((sku) => variants.get(sku)?.id ?? [])
}

async function publishableKey(container: MedusaContainer, salesChannelId: string): Promise<string> {
  const service = container.resolve(Modules.API_KEY)
  const keys = await service.listApiKeys({ type: "publishable" }, { order: { created_at: "ASC" } })
  let key = keys.find(({ revoked_at }) => !revoked_at)
  if (!key) {
    const { result } = await createApiKeysWorkflow(container).run({
      input: {
        api_keys: [{ title: "Demo storefront", type: ApiKeyType.PUBLISHABLE, created_by: "" }],
      },
    })
    key = first(result)
  }
  await linkSalesChannelsToApiKeyWorkflow(container).run({
    input: { id: key.id, add: [salesChannelId] },
  })
  return key.token
}

/** The account that the demo prints; a password changed in the dashboard is set back to it. */
export async function seedAdministrator(
  container: MedusaContainer,
  { email, password, name = "Demo" }: { email: string; password: string; name?: string }
): Promise<void> {
  const users = container.resolve(Modules.USER)
  const auth = container.resolve(Modules.AUTH)

  let [user] = await users.listUsers({ email })
  if (!user) {
    const { result } = await createUsersWorkflow(container).run({
      input: { users: [{ email, first_name: name }] },
    })
    user = first(result)
  }
  // Where Medusa's roles are switched on, a user without one may do nothing.
  const roles: unknown = container.resolve(Modules.RBAC, { allowUnregistered: true })
  if (roles) {
    await container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.USER]: { user_id: user.id },
      [Modules.RBAC]: { rbac_role_id: "role_super_admin" },
    })
  }
  const login = { body: { email, password } }
  if ((await auth.authenticate("emailpass", login)).success) return
  const changed = await auth.updateProvider("emailpass", { entity_id: email, password })
  if (changed.success) return
  const { authIdentity, error } = await auth.register("emailpass", login)
  if (!authIdentity) throw new Error(error ?? "The demo's admin could not be registered.")
  await auth.updateAuthIdentities({ id: authIdentity.id, app_metadata: { user_id: user.id } })
}

function first<T>(items: T[]): T {
  const [item] = items
  if (item === undefined) throw new Error("Medusa created nothing.")
  return item
}
