import { watcherState } from "../connection/route"
import { inReadersLanguage } from "../in-readers-language"

export const GET = inReadersLanguage(async (_req, module) => {
  return await watcherState(module, await module.accounts())
})
