import { readFile, writeFile } from "node:fs/promises"
import type { ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type OwedOrder, seedOwedOrder } from "./owed-order"
import seed, { seedAdministrator, type SeededShop } from "./seed"

export type SeededDemo = SeededShop & {
  /** Null in a shop that is to be set up yet. */
  owed: OwedOrder | null
  /** The two admins who may pay out. */
  adminIds: string[]
}

/** Run by `medusa exec demo/seed-demo.ts <result file>`: the shop, and an order in it that owes something. */
export default async function seedDemo({ container, args }: ExecArgs): Promise<void> {
  await seed({ container, args })
  const [resultFile = ""] = args
  const shop = JSON.parse(await readFile(resultFile, "utf8")) as SeededShop
  const { DEMO_SECOND_ADMIN_EMAIL: email, DEMO_SECOND_ADMIN_PASSWORD: password } = process.env
  if (!email || !password) throw new Error("DEMO_SECOND_ADMIN_EMAIL and …_PASSWORD are needed.")
  await seedAdministrator(container, { email, password, name: "Second" })
  const adminIds = await olderThanADay(container, [process.env.DEMO_ADMIN_EMAIL ?? "", email])
  const owed = process.env.DEMO_IS_EMPTY ? null : await seedOwedOrder(container, shop)
  const demo: SeededDemo = { ...shop, owed, adminIds }
  await writeFile(resultFile, JSON.stringify(demo))
}

/** Payouts wait for a user to be a day old, and a newcomer to the demo does not wait for that. */
async function olderThanADay(container: MedusaContainer, emails: string[]): Promise<string[]> {
  const { rows } = await container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)
    .raw<{ rows: { id: string }[] }>(
      `update "user" set created_at = least(created_at, now() - interval '2 days')
       where email = any(?) and deleted_at is null returning id`,
      [emails]
    )
  return rows.map(({ id }) => id)
}
