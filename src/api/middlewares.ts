import {
  defineMiddlewares,
  type MiddlewareRoute,
  type MiddlewaresConfig,
  validateAndTransformBody,
  validateAndTransformQuery,
} from "@medusajs/framework/http"

import { PAYMENT_SERVICE, PAYOUTS } from "../policies/payment-service"
import {
  ExportsQuery,
  PayoutExportQuery,
  ServiceExportQuery,
  StoreExportQuery,
} from "./admin/payment-service/exports/validators"
import {
  AcceptBody,
  HandleBody,
  ProblemsQuery,
  RecordBody,
  RefundBody,
} from "./admin/payment-service/problems/validators"
import { PaymentsQuery } from "./admin/payment-service/payments/validators"
import { keepSecret } from "./admin/payment-service/payouts/keep-secret"
import { CardsQuery, PayoutsQuery } from "./admin/payment-service/payouts/validators"
import { CompareBody, ComparisonsQuery } from "./admin/payment-service/comparisons/validators"
import { CheckBody } from "./admin/payment-service/connection/validators"
import { OverviewQuery } from "./admin/payment-service/overview/validators"
import { RecordQuery, RecordsQuery } from "./admin/payment-service/service-transactions/validators"
import {
  SubscriptionQuery,
  SubscriptionsQuery,
} from "./admin/payment-service/subscriptions/validators"
import { IdentifyBody, TransactionsQuery } from "./admin/payment-service/transactions/validators"
import { maskCallbackToken } from "./hooks/payment-service/mask-callback-token"
import { requirePaid } from "./store/payment-service/require-paid"
import { replaceSessionData } from "./store/payment-service/replace-session-data"

const validateStoreExport = validateAndTransformQuery(StoreExportQuery, {})
const validateServiceExport = validateAndTransformQuery(ServiceExportQuery, {})
const validatePayoutExport = validateAndTransformQuery(PayoutExportQuery, {})

/** Chooses the schema of the requested file, because each file has its own filters and errors name them. */
const validateExport: typeof validateStoreExport = (req, res, next) => {
  const ofTransactions =
    req.query.source === "service" ? validateServiceExport : validateStoreExport
  const isOfPayouts = EXPORTING_PAYOUTS.test(req.originalUrl.replace(/\?.*$/s, ""))
  return (isOfPayouts ? validatePayoutExport : ofTransactions)(req, res, next)
}

/** A policy in Medusa's own form. */
const policy = (operation: "read" | "update" | "export") => [
  { resource: PAYMENT_SERVICE, operation },
]

const payoutPolicy = (operation: "read" | "create" | "approve") => [
  { resource: PAYOUTS, operation },
]

/** Matches every route about payouts; `OTHER_ROUTES` matches every other admin route of ours. */
// The lookahead leaves the slash out of the match: otherwise Express would not accept the text behind it as the rest of the path.
const PAYOUT_ROUTES = /^\/admin\/payment-service\/(?:payouts|cards|payout-settings)(?=\/|$)/i
const EXPORTING_PAYOUTS = /^\/admin\/payment-service\/exports\/payout(?:s|-journal)\.[^/]*\/?$/i
const OTHER_ROUTES =
  /^\/admin\/payment-service\/(?!(?:payouts|cards|payout-settings)(?:\/|$)|exports\/payout)/i
const APPROVING = /^\/admin\/payment-service\/payouts\/[^/]+\/(?:approve|mark)\/?$/i
// The route `send` checks the rights itself, because either of two policies is enough, see `require-may-send.ts`.
const MAKING = /^\/admin\/payment-service\/payouts(?:\/(?![^/]+\/(?:approve|mark|send)\/?$).*)?$/i
const CHANGING = ["POST", "PUT", "PATCH", "DELETE"] as const

/**
 * The policies of all our admin routes, including later ones, checked before a route's own checks. They apply only where the
 * store has Medusa's roles (`rbac`) switched on.
 */
const routePolicies: MiddlewareRoute[] = [
  { matcher: OTHER_ROUTES, methods: ["GET"], policies: policy("read") },
  { matcher: OTHER_ROUTES, methods: [...CHANGING], policies: policy("update") },
  { matcher: PAYOUT_ROUTES, methods: ["GET"], policies: payoutPolicy("read") },
  { matcher: EXPORTING_PAYOUTS, methods: ["GET"], policies: payoutPolicy("read") },
  { matcher: MAKING, methods: [...CHANGING], policies: payoutPolicy("create") },
  { matcher: APPROVING, methods: [...CHANGING], policies: payoutPolicy("approve") },
  // A user who exports must be allowed to read as well.
  { matcher: "/admin/payment-service/exports/*", methods: ["GET"], policies: policy("export") },
]

const checks = defineMiddlewares({
  routes: [
    {
      // Core stores a browser's session data and serves it back; see the middleware.
      matcher: "/store/payment-collections/:id/payment-sessions",
      method: "POST",
      middlewares: [replaceSessionData],
    },
    {
      matcher: "/store/carts/:id/complete",
      method: "POST",
      middlewares: [requirePaid],
    },
    {
      // The route reads its small body itself: the token comes first, and any JSON content type is accepted.
      matcher: "/hooks/payment-service/*",
      bodyParser: false,
      middlewares: [maskCallbackToken],
    },
    {
      // A request here may contain a card number, so the routes read it themselves and core's parser cannot log it.
      matcher: PAYOUT_ROUTES,
      bodyParser: false,
      middlewares: [keepSecret],
    },
    {
      matcher: EXPORTING_PAYOUTS,
      method: "GET",
      middlewares: [keepSecret],
    },
    {
      matcher: "/admin/payment-service/payouts",
      method: "GET",
      middlewares: [validateAndTransformQuery(PayoutsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/cards",
      method: "GET",
      middlewares: [validateAndTransformQuery(CardsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/transactions",
      method: "GET",
      middlewares: [validateAndTransformQuery(TransactionsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/transactions/:id/identify",
      method: "POST",
      middlewares: [validateAndTransformBody(IdentifyBody)],
    },
    {
      matcher: "/admin/payment-service/payments",
      method: "GET",
      middlewares: [validateAndTransformQuery(PaymentsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/service-transactions",
      method: "GET",
      middlewares: [validateAndTransformQuery(RecordsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/service-transactions/:id",
      method: "GET",
      middlewares: [validateAndTransformQuery(RecordQuery, {})],
    },
    {
      matcher: "/admin/payment-service/subscriptions",
      method: "GET",
      middlewares: [validateAndTransformQuery(SubscriptionsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/subscriptions/:id",
      method: "GET",
      middlewares: [validateAndTransformQuery(SubscriptionQuery, {})],
    },
    {
      matcher: "/admin/payment-service/overview",
      method: "GET",
      middlewares: [validateAndTransformQuery(OverviewQuery, {})],
    },
    {
      matcher: "/admin/payment-service/comparisons",
      method: "GET",
      middlewares: [validateAndTransformQuery(ComparisonsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/comparisons",
      method: "POST",
      middlewares: [validateAndTransformBody(CompareBody)],
    },
    {
      matcher: "/admin/payment-service/connection/check",
      method: "POST",
      middlewares: [validateAndTransformBody(CheckBody)],
    },
    {
      matcher: "/admin/payment-service/exports",
      method: "GET",
      middlewares: [validateAndTransformQuery(ExportsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/exports/:file",
      method: "GET",
      middlewares: [validateExport],
    },
    {
      matcher: "/admin/payment-service/problems",
      method: "GET",
      middlewares: [validateAndTransformQuery(ProblemsQuery, {})],
    },
    {
      matcher: "/admin/payment-service/problems/:id/place-order",
      method: "POST",
      middlewares: [validateAndTransformBody(AcceptBody)],
    },
    {
      matcher: "/admin/payment-service/problems/:id/accept-amount",
      method: "POST",
      middlewares: [validateAndTransformBody(AcceptBody)],
    },
    {
      matcher: "/admin/payment-service/problems/:id/refunded-outside",
      method: "POST",
      middlewares: [validateAndTransformBody(RefundBody)],
    },
    {
      matcher: "/admin/payment-service/problems/:id/record-refund",
      method: "POST",
      middlewares: [validateAndTransformBody(RecordBody)],
    },
    {
      matcher: "/admin/payment-service/problems/:id/handle",
      method: "POST",
      middlewares: [validateAndTransformBody(HandleBody)],
    },
  ],
})

// Core's type of `defineMiddlewares` lacks policies.
export default { routes: [...routePolicies, ...(checks.routes ?? [])] } satisfies MiddlewaresConfig
