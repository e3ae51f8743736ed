import { readFile, writeFile } from "node:fs/promises"
import type { ExecArgs } from "@medusajs/framework/types"
import { type OwedOrder, seedOwedOrder } from "./owed-order"
import seed, { type SeededShop } from "./seed"

export type SeededDemo = SeededShop & { owed: OwedOrder }

/** Run by `medusa exec demo/seed-demo.ts <result file>`: the shop, and an order in it that owes something. */
export default async function seedDemo({ container, args }: ExecArgs): Promise<void> {
  await seed({ container, args })
  const [resultFile = ""] = args
  const shop = JSON.parse(await readFile(resultFile, "utf8")) as SeededShop
  const demo: SeededDemo = { ...shop, owed: await seedOwedOrder(container, shop) }
  await writeFile(resultFile, JSON.stringify(demo))
}
