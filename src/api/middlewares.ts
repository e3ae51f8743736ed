import {
  defineMiddlewares,
  validateAndTransformBody,
  validateAndTransformQuery,
} from "@medusajs/framework/http"

import {
  ExportsQuery,
  ServiceExportQuery,
  StoreExportQuery,
} from "./admin/payment-service/exports/validators"
import {
  NoteBody,
  AcceptBody,
  ProblemsQuery,
  RefundBody,
} from "./admin/payment-service/problems/validators"
import { RecordQuery, RecordsQuery } from "./admin/payment-service/service-transactions/validators"
import { TransactionsQuery } from "./admin/payment-service/transactions/validators"
import { maskCallbackToken } from "./hooks/payment-service/mask-callback-token"
import { requirePaid } from "./store/payment-service/require-paid"
import { replaceSessionData } from "./store/payment-service/replace-session-data"

const validateStoreExport = validateAndTransformQuery(StoreExportQuery, {})
const validateServiceExport = validateAndTransformQuery(ServiceExportQuery, {})

/** Each source has filters of its own, and an error names those. */
const validateExport: typeof validateStoreExport = (req, res, next) =>
  (req.query.source === "service" ? validateServiceExport : validateStoreExport)(req, res, next)

export default defineMiddlewares({
  routes: [
    {
      // Core stores what a browser sends as session data and serves it back; see the middleware.
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
      // The route reads its small body itself: the token comes first, and any JSON content type counts.
      matcher: "/hooks/payment-service/*",
      bodyParser: false,
      middlewares: [maskCallbackToken],
    },
    {
      matcher: "/admin/payment-service/transactions",
      method: "GET",
      middlewares: [validateAndTransformQuery(TransactionsQuery, {})],
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
      matcher: "/admin/payment-service/problems/:id/handle",
      method: "POST",
      middlewares: [validateAndTransformBody(NoteBody)],
    },
  ],
})
