import type { MedusaRequest, MedusaRequestHandler, MedusaResponse } from "@medusajs/framework/http"

/**
 * One route for what differs by the last part of its address alone. That part is read as it was written, because policies and validators
 * are matched to the address so, too: another spelling leads to nothing.
 */
export const byName =
  <Name extends string>(
    handlers: Record<Name, (req: never, res: MedusaResponse) => unknown>
  ): MedusaRequestHandler =>
  async (req: MedusaRequest, res) => {
    const name = req.path.split("/").at(-1) ?? ""
    if (Object.hasOwn(handlers, name)) await handlers[name as Name](req as never, res)
    else res.sendStatus(404)
  }
