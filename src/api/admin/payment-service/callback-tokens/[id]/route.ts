import { inReadersLanguage } from "../../in-readers-language"

/** Ends a replaced token: its callback address answers 404 from now on. */
export const DELETE = inReadersLanguage(async (req, module) => {
  const id = req.params.id ?? ""
  await module.callbackTokens.removeReplaced(id)
  return { id, object: "callback_token", deleted: true }
})
