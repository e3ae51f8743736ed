import * as http from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { z } from "@medusajs/framework/zod"

import { PAYMENT_SERVICE, PAYOUTS, SETTINGS } from "../policies/payment-service"
import { BODIES, FILES, QUERIES } from "./admin/payment-service/validators"
import {
  refuseCancellation,
  refuseUnprovenRefund,
  replaceSessionData,
  reportBalanceAfter,
  requirePaid,
} from "./around-core"
import { keepSecret, maskLogged, refuseOddSearch } from "./mask-log"
import { readBody } from "./read-body"

const policies = (resource: string, operation: string) => [{ resource, operation }]

const ADMIN = "/admin/payment-service"
const ofAdmin = (path: string) => new RegExp(`^${ADMIN}${path}`, "i")

// Lookaheads leave the slash out of each match: otherwise Express would not accept the text behind it as the rest of the path.
const OUR_ROUTES = /^(?:\/admin|\/store)?\/payment-service(?=\/|$)/i
const ABOUT_PAYOUTS = String.raw`(?:payouts|cards|payout-settings|search/payouts|exports/payouts\.\w+)(?=/|$)`
const ABOUT_SETTINGS = String.raw`settings(?=/|$)`
const SETTINGS_ROUTES = ofAdmin(`/${ABOUT_SETTINGS}`)
const PAYOUT_ROUTES = ofAdmin(`/${ABOUT_PAYOUTS}`)
const OTHER_ROUTES = ofAdmin(`(?=/(?!${ABOUT_PAYOUTS}|${ABOUT_SETTINGS}))`)
/** The routes whose POST only reads. */
const READING = "(?:search|exports)(?=/)"
const PAYOUTS_READING = ofAdmin(`/(?=${READING})${ABOUT_PAYOUTS}`)
const OTHER_READING = ofAdmin(`/(?!${ABOUT_PAYOUTS})${READING}`)
const OTHER_CHANGES = ofAdmin(`(?=/(?!${ABOUT_PAYOUTS}|${ABOUT_SETTINGS}|${READING}))`)
const APPROVING = ofAdmin("/payouts/[^/]+/(?:approve|mark)/?$")
const MAKING = ofAdmin("/payouts(?:/(?![^/]+/(?:approve|mark)/?$).*)?$")
const CHANGING: http.MiddlewareRoute["methods"] = ["POST", "PUT", "PATCH", "DELETE"]

/** Questions for the body of a POST, because they may name a customer, and logs and browsers keep addresses. */
const SEARCHES = {
  ...FILES,
  "search/transactions": QUERIES.transactions,
  "search/problems": QUERIES.problems,
  "search/service-transactions": QUERIES["service-transactions"],
  "search/payouts": QUERIES.payouts,
}

/** Routes of core that change an order's money without an event, with what their ids name. */
const FOLLOWED = {
  "/admin/draft-orders/:id": "order",
  "/admin/orders/:id/credit-lines": "order",
  "/admin/returns/:id/cancel": "return",
  "/admin/claims/:id/cancel": "order_claim",
  "/admin/exchanges/:id/cancel": "order_exchange",
} as const

/** Refuses an address that contains a NUL, because Postgres refuses every statement that contains one. */
const refuseNul: http.MedusaRequestHandler = ({ originalUrl }, _res, next) => {
  const message = "An address must not contain the character NUL (%00)."
  const refusal = new MedusaError(MedusaError.Types.INVALID_DATA, message)
  next(originalUrl.includes("%00") ? refusal : undefined)
}

const askedInBody: http.MedusaRequestHandler = async (req, _res, next) => {
  req.query = await readBody(req, z.record(z.string(), z.any()))
  next()
}

/** The addresses of callbacks, also written wrongly: they may have the token, too. Express wants a match of the whole path. */
const CALLBACKS =
  /^(?:.*(?:hooks|\/|%2f)(?:\/|%2f)payment(?:-|%2d)service|(?!\/(?:admin|store)\/|\/payment-service\/return\/).*payment(?:-|%2d)service(?:\/|%2f)).*$/is

/** Masks the token in what core's log prints. An address that Express cannot decode is answered here: the error would repeat it. */
const maskCallbackToken: http.MedusaRequestHandler = (req, res, next) => {
  req.originalUrl = "/hooks/payment-service/***"
  try {
    // The path as it came; `maskLogged` may have decoded that of `originalUrl`.
    decodeURIComponent(req.baseUrl)
  } catch {
    return void res.sendStatus(404)
  }
  next()
}

const routes: http.MiddlewareRoute[] = [
  // The policies of all our admin routes, including later ones. They apply only where the store has Medusa's roles (`rbac`) switched on.
  { matcher: OTHER_ROUTES, methods: ["GET"], policies: policies(PAYMENT_SERVICE, "read") },
  { matcher: OTHER_READING, methods: ["POST"], policies: policies(PAYMENT_SERVICE, "read") },
  { matcher: OTHER_CHANGES, methods: CHANGING, policies: policies(PAYMENT_SERVICE, "update") },
  { matcher: SETTINGS_ROUTES, methods: ["GET"], policies: policies(SETTINGS, "read") },
  { matcher: SETTINGS_ROUTES, methods: CHANGING, policies: policies(SETTINGS, "update") },
  { matcher: PAYOUT_ROUTES, methods: ["GET"], policies: policies(PAYOUTS, "read") },
  { matcher: PAYOUTS_READING, methods: ["POST"], policies: policies(PAYOUTS, "read") },
  { matcher: MAKING, methods: CHANGING, policies: policies(PAYOUTS, "create") },
  { matcher: APPROVING, methods: CHANGING, policies: policies(PAYOUTS, "approve") },
  // A user who exports must be allowed to read as well.
  ...Object.keys(FILES).map((path): http.MiddlewareRoute => {
    const matcher = `${ADMIN}/${path}`
    return { matcher, methods: ["GET", "POST"], policies: policies(PAYMENT_SERVICE, "export") }
  }),
  { matcher: "/", middlewares: [maskLogged] },
  { matcher: OUR_ROUTES, middlewares: [refuseNul] },
  { matcher: OTHER_ROUTES, middlewares: [refuseOddSearch] },
  {
    matcher: "/store/payment-collections/:id/payment-sessions",
    methods: ["POST"],
    middlewares: [replaceSessionData],
  },
  { matcher: "/store/carts/:id/complete", methods: ["POST"], middlewares: [requirePaid] },
  ...Object.entries(FOLLOWED).map(([matcher, subject]): http.MiddlewareRoute => {
    return { matcher, methods: ["POST", "DELETE"], middlewares: [reportBalanceAfter(subject)] }
  }),
  { matcher: "/admin/orders/:id/cancel", methods: ["POST"], middlewares: [refuseCancellation] },
  { matcher: "/admin/payments/:id/refund", methods: ["POST"], middlewares: [refuseUnprovenRefund] },
  { matcher: "/payment-service/return/*", methods: ["POST"], bodyParser: false },
  // The route reads its small body itself: the token comes first, and any content type is accepted.
  { matcher: CALLBACKS, bodyParser: false, middlewares: [maskCallbackToken] },
  // Requests here may contain card numbers and secrets, so the routes read them themselves and core's parser cannot log them.
  { matcher: PAYOUT_ROUTES, bodyParser: false, middlewares: [keepSecret, refuseOddSearch] },
  { matcher: SETTINGS_ROUTES, bodyParser: false, middlewares: [keepSecret] },
  ...Object.entries(QUERIES).map(([path, schema]): http.MiddlewareRoute => {
    const middlewares = [http.validateAndTransformQuery(schema, {})]
    return { matcher: `${ADMIN}/${path}`, methods: ["GET"], middlewares }
  }),
  ...Object.entries(SEARCHES).map(([path, schema]): http.MiddlewareRoute => {
    const middlewares = [askedInBody, refuseOddSearch, http.validateAndTransformQuery(schema, {})]
    // Core's errors and log would repeat an unreadable body.
    return { matcher: `${ADMIN}/${path}`, methods: ["POST"], bodyParser: false, middlewares }
  }),
  ...Object.entries(BODIES).map(([path, schema]): http.MiddlewareRoute => {
    const middlewares = [http.validateAndTransformBody(schema)]
    return { matcher: `${ADMIN}/${path}`, methods: ["POST"], middlewares }
  }),
]

export default { routes } satisfies http.MiddlewaresConfig
