import type {
  IApiKeyModuleService,
  IUserModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** The names of users, and the titles of API keys, by their ids; a user without a name is called by the e-mail address. */
export async function findNames(
  container: MedusaContainer,
  ids: (string | null)[]
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const keyIds = wanted.filter((id) => id.startsWith("apk_"))
  const userIds = wanted.filter((id) => !id.startsWith("apk_"))
  const [users, keys] = await Promise.all([
    userIds.length
      ? container
          .resolve<IUserModuleService>(Modules.USER)
          .listUsers({ id: userIds }, { take: userIds.length })
      : [],
    keyIds.length
      ? container
          .resolve<IApiKeyModuleService>(Modules.API_KEY)
          .listApiKeys({ id: keyIds }, { take: keyIds.length })
      : [],
  ])
  return new Map([
    ...users.map(({ id, email, first_name, last_name }): [string, string] => [
      id,
      [first_name, last_name].filter(Boolean).join(" ") || email,
    ]),
    ...keys.map(({ id, title }): [string, string] => [id, title]),
  ])
}
