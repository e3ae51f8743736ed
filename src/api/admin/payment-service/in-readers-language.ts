import { resolvePermissions } from "@medusajs/framework"
import type * as http from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { findCustomers } from "../../../medusa/search"
import { paymentServiceModule } from "../../../modules/payment-service"
import { withoutCardNumbers } from "../../../payouts/rules/card-text"
import { medusaRefusal, refusalText } from "../../../problems/rules/reasons"
import { messagesOf, reasonOf, RefusedAction } from "../../../refusals/refused"
import { PaymentServiceError } from "../../../service/errors"
import { text, type Text } from "../../../texts"
import type { QUERIES, QueryOf } from "./validators"

const { NOT_FOUND, UNEXPECTED_STATE } = MedusaError.Types

/** A request of an admin, with the body and the query that the validators of its route have checked. */
export type Asked<
  Body = unknown,
  Query = Record<string, unknown>,
> = http.AuthenticatedMedusaRequest<Body, Query>
export type AskedOf<Path extends keyof typeof QUERIES> = Asked<unknown, QueryOf<Path>>

export const languageOf = (req: Pick<http.MedusaRequest, "acceptsLanguages">): keyof Text =>
  req.acceptsLanguages("en", "ru") === "ru" ? "ru" : "en"

/**
 * Makes a route answer with what the function returns, or with a refusal in the reader's language; a function that returns nothing
 * has answered itself. Core would hide other errors, and logs and answers all of one, so they are said here without card numbers.
 *
 * @param failed what is said after a failure of the store itself
 */
export function inReadersLanguage<Body = unknown, Query = Record<string, unknown>, Answer = void>(
  answer: (
    req: Asked<Body, Query>,
    module: ReturnType<typeof paymentServiceModule>,
    res: http.MedusaResponse
  ) => Promise<Answer>,
  failed = text("answers", "unexpected", { advice: text("answers", "try_again") })
) {
  return async (req: Asked<Body, Query>, res: http.MedusaResponse): Promise<Answer | undefined> => {
    const language = languageOf(req)
    const module = paymentServiceModule(req.scope)
    const answered = async () => {
      const body = await answer(req, module, res)
      if (body !== undefined) res.json(body)
      return body
    }
    return await answered().catch((error: unknown) => {
      if (error instanceof RefusedAction) {
        const { type, code, messages, facts } = error
        const status = type === NOT_FOUND ? 404 : 400
        res.status(status).json({ type, code, message: messages[language], messages, facts })
        return undefined
      }
      if (MedusaError.isMedusaError(error)) {
        const refusal = medusaRefusal(error.message)
        if (language === "en" || refusal.code === "other") {
          throw new MedusaError(error.type, withoutCardNumbers(error.message), error.code)
        }
        const said = text("answers", "refused", { why: refusalText(refusal) })
        throw new MedusaError(error.type, said[language], refusal.code)
      }
      if (error instanceof PaymentServiceError) {
        // These last until a person corrects the options.
        const isByOptions = ["unauthorized", "link_refused"].includes(error.kind)
        const advice = text("answers", isByOptions ? "correct_options" : "try_again")
        const said = text("answers", "service_failed", { why: messagesOf(error), advice })
        throw new MedusaError(UNEXPECTED_STATE, said[language], error.kind)
      }
      // It is a fault of the code or the database, whose words may be SQL.
      module.logger.error(withoutCardNumbers(reasonOf(error)))
      throw new MedusaError(UNEXPECTED_STATE, failed[language])
    })
  }
}

/** One route for several last parts of an address, each as it is written here: so policies and validators are matched, too. */
export const byName =
  <Name extends string>(
    handlers: Record<Name, (req: never, res: http.MedusaResponse) => unknown>
  ): http.MedusaRequestHandler =>
  async (req: http.MedusaRequest, res) => {
    const name = req.path.split("/").at(-1) ?? ""
    if (Object.hasOwn(handlers, name)) await handlers[name as Name](req as never, res)
    else res.sendStatus(404)
  }

/** The operations that the asking user's roles allow: all where the store has Medusa's roles switched off. */
export async function grantedOf<Operation extends string>(
  { auth_context: { app_metadata }, scope }: Asked,
  resource: string,
  operations: readonly Operation[]
): Promise<ReadonlySet<Operation>> {
  const granted = await resolvePermissions({
    roles: (app_metadata as { roles?: string[] } | undefined)?.roles ?? [],
    universe: operations.map((operation) => ({ resource, operation })),
    container: scope,
  })
  return new Set(operations.filter((operation) => granted.has(`${resource}:${operation}`)))
}

export const maySeeCustomers = async (req: Asked) =>
  (await grantedOf(req, "customer", ["read"])).size > 0

export const customersFor = async (req: Asked, ids: Parameters<typeof findCustomers>[1]) =>
  await findCustomers(req.scope, (await maySeeCustomers(req)) ? ids : [])
