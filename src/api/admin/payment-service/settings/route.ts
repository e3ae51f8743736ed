import { findAdmin } from "../../../../medusa/search"
import type { PaymentServiceModuleService } from "../../../../modules/payment-service"
import { refused } from "../../../../refusals/refused"
import { saveSettings, SettingsBody, settingsView, storeFacts } from "../../../../settings"
import { type Asked, inReadersLanguage } from "../in-readers-language"
import { readBody } from "../../../read-body"

/** The plugin's options with their values, and who changed them, for signed-in admins and no API key. It shows no secret. */
export const GET = inReadersLanguage(async (req: Asked, module) => {
  await requireSignedIn(req)
  return await viewOf(req, module)
})

/** Saves what a signed-in admin has set. Core does not read the body, whose secrets its errors and its log could repeat. */
export const POST = inReadersLanguage(async (req: Asked, module) => {
  const body = await readBody(req, SettingsBody)
  const admin = await requireSignedIn(req)
  await saveSettings(module, body, admin, accountIdsOf(req))
  return await viewOf(req, module)
})

async function viewOf(req: Asked, module: PaymentServiceModuleService) {
  const view = await settingsView(module, accountIdsOf(req))
  return { ...view, providers: storeFacts(req.scope).providers }
}

const accountIdsOf = ({ scope }: Asked) => storeFacts(scope).providers.map(({ account }) => account)

/** @throws MedusaError `NOT_ALLOWED` for an API key */
export async function requireSignedIn({ scope, auth_context: { actor_type, actor_id } }: Asked) {
  const admin = actor_type === "user" ? await findAdmin(scope, actor_id) : null
  if (!admin) throw refused("admins_only")
  return admin
}
