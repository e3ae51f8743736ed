import { definePolicies } from "@medusajs/framework/utils"

/** The resource of payments, problems and subscriptions. */
export const PAYMENT_SERVICE = "payment_service"
/** The resource of money that leaves the merchant's balance. */
export const PAYOUTS = "payment_service_payout"
/** The resource of the plugin's own configuration. */
export const SETTINGS = "payment_service_settings"

/** Policies for a store with Medusa's roles (`rbac`) switched on. The routes name them in `api/middlewares.ts`. */
export const policies = definePolicies([
  {
    name: "ReadPaymentService",
    resource: PAYMENT_SERVICE,
    operation: "read",
    description:
      "See payments of the payment service with how they were paid back, problems and subscriptions",
  },
  {
    name: "UpdatePaymentService",
    resource: PAYMENT_SERVICE,
    operation: "update",
    description: "Check payments, act on problems and change callback addresses",
  },
  {
    name: "ExportPaymentService",
    resource: PAYMENT_SERVICE,
    operation: "export",
    description: "Download payments as files",
  },
  {
    name: "ReadPaymentServicePayouts",
    resource: PAYOUTS,
    operation: "read",
    description: "See payouts and saved cards of the payment service",
  },
  {
    name: "CreatePaymentServicePayouts",
    resource: PAYOUTS,
    operation: "create",
    description: "Make payouts and send them",
  },
  {
    name: "ApprovePaymentServicePayouts",
    resource: PAYOUTS,
    operation: "approve",
    description: "Approve payouts, and record the outcome of unknown ones",
  },
  {
    name: "ReadPaymentServiceSettings",
    resource: SETTINGS,
    operation: "read",
    description: "See how the payment service is configured, without secrets",
  },
  {
    name: "UpdatePaymentServiceSettings",
    resource: SETTINGS,
    operation: "update",
    description: "Change how the payment service is configured",
  },
])
