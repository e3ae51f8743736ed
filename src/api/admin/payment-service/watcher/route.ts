import { paymentServiceModule } from "../../../../modules/payment-service"
import { watcherState } from "../connection/route"
import { inReadersLanguage } from "../in-readers-language"

export const GET = inReadersLanguage(async (req) => {
  const module = paymentServiceModule(req.scope)
  return await watcherState(module, await module.accounts())
})
