import { paymentServiceModule } from "../../../../../modules/payment-service"
import { inReadersLanguage } from "../../in-readers-language"

/** Ends a replaced token: its callback address answers 404 from now on. */
export const DELETE = inReadersLanguage(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  const id = req.params.id ?? ""
  await module.callbackTokens.removeReplaced(id)
  res.json({ id, object: "callback_token", deleted: true })
})
