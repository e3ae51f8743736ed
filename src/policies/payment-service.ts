import { definePolicies } from "@medusajs/framework/utils"

/** The resources that roles name. The first one is payments, problems and subscriptions. */
export const PAYMENT_SERVICE = "payment_service"
export const PAYOUTS = "payment_service_payout"
export const SETTINGS = "payment_service_settings"

const policiesOf = (subject: string, resource: string, allowed: Record<string, string>) =>
  Object.entries(allowed).map(([operation, description]) => ({
    name: operation + subject,
    resource,
    operation: operation.toLowerCase(),
    description,
  }))

/** Policies for a store with Medusa's roles (`rbac`) switched on. The routes name them in `api/middlewares.ts`. */
export const policies = definePolicies([
  ...policiesOf("PaymentService", PAYMENT_SERVICE, {
    Read: "See payments of the payment service with how they were paid back, problems and subscriptions",
    Update: "Check payments, act on problems and change callback addresses",
    Export: "Download payments as files",
  }),
  ...policiesOf("PaymentServicePayouts", PAYOUTS, {
    Read: "See payouts and saved cards of the payment service",
    Create: "Make payouts and send them",
    Approve: "Approve payouts, and record the outcome of unknown ones",
  }),
  ...policiesOf("PaymentServiceSettings", SETTINGS, {
    Read: "See how the payment service is configured, without secrets",
    Update: "Change how the payment service is configured",
  }),
])
