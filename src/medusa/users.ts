import type { IUserModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

export interface Admin {
  id: string
  /** The name as far as it is given, else the e-mail address. */
  name: string
  email: string
}

/** An admin of the store, or null when there is none with this id any more. */
export async function findAdmin(container: MedusaContainer, id: string): Promise<Admin | null> {
  const [user] = await container
    .resolve<IUserModuleService>(Modules.USER)
    .listUsers({ id }, { select: ["id", "email", "first_name", "last_name"], take: 1 })
  if (!user) return null
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ")
  return { id: user.id, name: name || user.email, email: user.email }
}
