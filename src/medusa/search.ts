import type * as Medusa from "@medusajs/framework/types"
import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

/** Reads records over several of Medusa's modules. Core does not type them, so the caller, who names the fields, names their type. */
export async function readGraph<T>(
  container: MedusaContainer,
  question: Parameters<RemoteQueryFunction["graph"]>[0]
): Promise<T[]> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  return (await query.graph(question)).data as T[]
}

/** Larger order numbers do not fit into the column. */
const LARGEST_ORDER_NUMBER = 2_147_483_647

/** The ids of the orders whose number an admin's text is, as `1027` or `#1027`. */
export async function findOrderIdsByNumber(container: MedusaContainer, text: string) {
  const number = Number(/^#?(\d{1,10})$/.exec(text)?.[1] ?? 0)
  if (number === 0 || number > LARGEST_ORDER_NUMBER) return []
  // Core's type of the filter lacks the number.
  const of = { display_id: number } as object
  const fields = { select: ["id"], take: 10 }
  const orders = await container.resolve(Modules.ORDER).listOrders(of, fields)
  return orders.map(({ id }) => id)
}

const FEWEST_LETTERS = 3
const MOST_WORDS = 4
/** The newest of each that a text may mean. */
const MOST_BUYERS = 1_000

type Buyers = Record<"customerIds" | "cartIds" | "orderIds", string[]>

/** Each word must be in the e-mail address or name. All of them are read, which takes a second with some hundred thousands. */
export async function findBuyersByText(container: MedusaContainer, text: string): Promise<Buyers> {
  const words = text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  if (!words.length || text.trim().length < FEWEST_LETTERS) {
    return { customerIds: [], cartIds: [], orderIds: [] }
  }
  const values: string[] = []
  const has = (column: string, part: string) => {
    values.push(part)
    return `strpos(${column}, ?) > 0`
  }
  const within = (email: string, names: string[]) =>
    words
      .map((word) => {
        const inEmail = has(email, word.toLowerCase())
        const inNames = names.flatMap((name) => spellings(word).map((one) => has(name, one)))
        return `(${[inEmail, ...inNames].join(" or ")})`
      })
      .join(" and ")
  const customers = `
    select c.id from customer c
    where c.deleted_at is null and ${within("lower(c.email)", ["c.first_name", "c.last_name"])}
    order by c.created_at desc limit ${MOST_BUYERS}`
  // Addresses of carts and orders lie beside them, each in a table of its own.
  const ofSale = (table: "cart" | "order") => `
    select s.id from "${table}" s left join ${table}_address a on a.id = coalesce(s.shipping_address_id, s.billing_address_id)
    where s.deleted_at is null and ${within("lower(s.email)", ["a.first_name", "a.last_name"])}
    order by s.created_at desc limit ${MOST_BUYERS}`
  const { rows } = await container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)
    .raw<{ rows: [Buyers] }>(
      `select array(${customers}) as "customerIds", array(${ofSale("cart")}) as "cartIds",
         array(${ofSale("order")}) as "orderIds"`,
      values
    )
  return rows[0]
}

/** Postgres compares letters of another case slowly. */
function spellings(word: string): string[] {
  const lower = word.toLowerCase()
  const capitalized = lower.charAt(0).toUpperCase() + lower.slice(1)
  return distinct([word, lower, capitalized, word.toUpperCase()])
}

/** The customers with these e-mail addresses, by the address in lower case. An account wins over a guest with the same address. */
export async function findCustomerIdsByEmails(container: MedusaContainer, emails: string[]) {
  // Core stores addresses in lower case since it compares them so; older ones may be stored as typed.
  const email = distinct(emails.flatMap((one) => [one, one.toLowerCase()]))
  const order = { has_account: "ASC", created_at: "ASC" } as const
  const customers = email.length
    ? await container
        .resolve(Modules.CUSTOMER)
        .listCustomers({ email }, { select: ["id", "email"], take: null, order })
    : []
  return new Map(customers.map((customer) => [customer.email.toLowerCase(), customer.id]))
}

export async function findCustomers(container: MedusaContainer, ids: (string | null)[]) {
  const id = distinct(ids)
  const select = ["id", "email", "first_name", "last_name"]
  const customers = id.length
    ? await container.resolve(Modules.CUSTOMER).listCustomers({ id }, { select, take: id.length })
    : []
  return new Map(customers.map(({ id, email, ...names }) => [id, { email, name: fullName(names) }]))
}

export async function findOrderNumbers(container: MedusaContainer, ids: (string | null)[]) {
  const id = distinct(ids)
  const fields = { select: ["id", "display_id"], take: id.length }
  const orders = id.length ? await container.resolve(Modules.ORDER).listOrders({ id }, fields) : []
  return new Map(orders.map(({ id, display_id }) => [id, display_id]))
}

export const findNumbersFor = (container: MedusaContainer, rows: { order_id: string | null }[]) =>
  findOrderNumbers(
    container,
    rows.map(({ order_id }) => order_id)
  )

/** Null when nobody has this id any more. */
export const findAdmin = async (container: MedusaContainer, id: string) =>
  (await findAdmins(container, [id])).at(0) ?? null

export async function findNames(container: MedusaContainer, ids: (string | null)[]) {
  const wanted = distinct(ids)
  const keyIds = wanted.filter((id) => id.startsWith("apk_"))
  const userIds = wanted.filter((id) => !id.startsWith("apk_"))
  const [admins, keys] = await Promise.all([
    userIds.length ? findAdmins(container, userIds) : [],
    keyIds.length
      ? container.resolve(Modules.API_KEY).listApiKeys({ id: keyIds }, { take: keyIds.length })
      : [],
  ])
  const named = [...admins, ...keys.map(({ id, title }) => ({ id, name: title }))]
  return new Map(named.map(({ id, name }) => [id, name]))
}

async function findAdmins(container: MedusaContainer, id: string[]) {
  const select = ["id", "email", "first_name", "last_name", "created_at"]
  const users = await container.resolve(Modules.USER).listUsers({ id }, { select, take: id.length })
  return users.map(({ id, email, created_at, ...names }) => ({
    id,
    since: new Date(created_at),
    name: fullName(names) ?? email,
    email,
  }))
}

export const fullName = (of?: { first_name?: string | null; last_name?: string | null } | null) =>
  [of?.first_name, of?.last_name].filter(Boolean).join(" ") || null

const distinct = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

export type Buyer = Awaited<ReturnType<typeof findBuyer>>

/** An order or a cart, with those of these fields that were asked for. */
interface Sold extends Partial<Pick<Medusa.CartDTO, "sales_channel_id" | "email">> {
  customer?: Medusa.CustomerDTO | null
  shipping_address?: Medusa.CartAddressDTO | null
  billing_address?: Medusa.CartAddressDTO | null
  region?: { countries?: { iso_2: string }[] } | null
  items?: ({ title?: string; product_title?: string | null; quantity?: unknown } | null)[]
}

/** An order, else a cart. */
export type Sale = Record<"orderId" | "cartId", string | null>

/** The buyer of an order, else of a cart; all fields are empty without either. */
export async function findBuyer(container: MedusaContainer, of: Sale) {
  const found = await findSold(container, of, ["sales_channel_id", "email", ...PEOPLE_AND_ITEMS])
  const { customer, shipping_address: to, billing_address: bill } = found ?? {}
  const street = [to?.address_1, to?.address_2].filter(Boolean).join(", ")
  const parts = [to?.postal_code, to?.province, to?.city, street].filter(Boolean)
  const items = itemsOf(found)
  return {
    salesChannelId: found?.sales_channel_id ?? null,
    customerId: customer?.id ?? null,
    /** A registered customer has an id of their own; a guest is known by e-mail only. */
    isGuest: !customer?.has_account,
    email: found?.email ?? null,
    payerName: fullName(bill ?? to),
    items,
    /** Tells an admin whom to ask and where to ship; null without order and cart. Personal data, for one problem's page only. */
    delivery: found
      ? {
          name: fullName(to) ?? fullName(bill) ?? fullName(customer),
          phone: to?.phone || bill?.phone || customer?.phone || null,
          /** Without the country; null for what is not shipped. */
          address: parts.join(", ") || null,
          country_code: to?.country_code ?? null,
          items,
        }
      : null,
  }
}

/** They decide to which storefront the payer returns. Digital goods have no shipping address, but a bill's, or a region with countries. */
export async function findSalesChannelAndCountry(container: MedusaContainer, of: Sale) {
  const sold = await findSold(container, of, [
    "sales_channel_id",
    "shipping_address.country_code",
    "billing_address.country_code",
    "region.countries.iso_2",
  ])
  return {
    salesChannelId: sold?.sales_channel_id ?? null,
    countryCode:
      sold?.shipping_address?.country_code ??
      sold?.billing_address?.country_code ??
      sold?.region?.countries?.[0]?.iso_2 ??
      null,
  }
}

/** An order's items come without their quantity when their fields are named one by one. */
const PEOPLE_AND_ITEMS = ["customer.*", "billing_address.*", "shipping_address.*", "items.*"]

async function findSold(container: MedusaContainer, { orderId, cartId }: Sale, fields: string[]) {
  const [entity, id] = orderId ? ["order", orderId] : ["cart", cartId]
  const [found] = id ? await readGraph<Sold>(container, { entity, fields, filters: { id } }) : []
  return found
}

const itemsOf = ({ items = [] }: Sold = {}) =>
  items.flatMap((item) =>
    item
      ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
      : []
  )

type Region = { payment_providers?: ({ id: string; is_enabled: boolean } | null)[] | null }

const MOST_REGIONS = 200

export async function listRegions(container: MedusaContainer) {
  type Named = Region & Record<"id" | "name" | "currency_code", string>
  const regions = await readGraph<Named>(container, {
    entity: "region",
    fields: ["id", "name", "currency_code", "payment_providers.id", "payment_providers.is_enabled"],
    filters: {},
    pagination: { take: MOST_REGIONS, skip: 0, order: { name: "ASC" } },
  })
  return regions.map(({ id, name, currency_code, ...region }) => ({
    id,
    name,
    currency: currency_code.toUpperCase(),
    providerIds: enabledOf(region),
  }))
}

export async function listProvidersForOrder(container: MedusaContainer, orderId: string) {
  const [order] = await readGraph<{ region?: Region | null }>(container, {
    entity: "order",
    fields: ["region.payment_providers.id", "region.payment_providers.is_enabled"],
    filters: { id: orderId },
  })
  return enabledOf(order?.region)
}

const enabledOf = (region: Region | null | undefined) =>
  (region?.payment_providers ?? []).flatMap((one) => (one?.is_enabled ? [one.id] : []))
