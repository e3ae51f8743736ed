import { checkAccount } from "../../../../../settings"
import { type Asked, inReadersLanguage } from "../../in-readers-language"
import type { BodyOf } from "../../validators"

export const POST = inReadersLanguage(async (req: Asked<BodyOf<"connection/check">>, module) => {
  const accounts = await module.accounts()
  const { account } = req.validatedBody
  const options = account === undefined ? undefined : accounts.get(account)
  const checked = accounts.connections().filter((one) => !options || one.connection === options)
  const checks = checked.map((one) => checkAccount(module, accounts, one))
  return { checks: await Promise.all(checks) }
})
