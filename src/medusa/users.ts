import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { distinct } from "./search"

/** An admin of the store, or null when nobody has this id any more. */
export async function findAdmin(container: MedusaContainer, id: string) {
  const [admin] = await findAdmins(container, [id])
  return admin ?? null
}

/** The names of admins, and the titles of API keys, by their ids. */
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

async function findAdmins(container: MedusaContainer, ids: string[]) {
  const users = await container
    .resolve(Modules.USER)
    .listUsers(
      { id: ids },
      { select: ["id", "email", "first_name", "last_name", "created_at"], take: ids.length }
    )
  return users.map(({ id, email, first_name, last_name, created_at }) => ({
    id,
    since: new Date(created_at),
    /** The parts of the name that are given, else the e-mail address. */
    name: [first_name, last_name].filter(Boolean).join(" ") || email,
    email,
  }))
}
