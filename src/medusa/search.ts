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
