import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import type { TestStore } from "./store"

interface Migration {
  up(): Promise<void>
  down(): Promise<void>
  getQueries(): unknown[]
}

/** Runs a migration of ours on the store's database, as Medusa does. */
export async function runMigration(
  { container }: TestStore,
  Of: new (driver: never, config: never) => Migration,
  direction: "up" | "down" = "up"
): Promise<void> {
  const sql = container.resolve<{ raw(statement: string): Promise<unknown> }>(
    ContainerRegistrationKeys.PG_CONNECTION
  )
  const migration = new Of({} as never, {} as never)
  await migration[direction]()
  for (const query of migration.getQueries()) await sql.raw(query as string)
}
