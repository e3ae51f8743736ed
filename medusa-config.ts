import { defineConfig, loadEnv, Modules } from "@medusajs/framework/utils"

import type { PaymentServicePluginOptions } from "./src/modules/payment-service/options"

loadEnv(process.env.NODE_ENV ?? "development", process.cwd())

/** The environment; a variable that is set to nothing counts as not set, as in a copied .env.template. */
const env: Partial<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).filter(([, value]) => value !== "")
)
/** Of a list, nothing is an answer too: no status has that meaning. */
const names = (variable: string) =>
  process.env[variable]
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean)
/** Options that are not set keep the plugin's defaults. */
const given = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T

/** This repository run as a store: in another one, `options` goes to the plugin (see README). */
const options = given({
  baseUrl: env.PAYMENT_SERVICE_URL ?? "",
  merchantId: env.PAYMENT_SERVICE_MERCHANT_ID ?? "",
  secret: env.PAYMENT_SERVICE_SECRET ?? "",
  statuses: given({
    paid: names("PAYMENT_SERVICE_PAID_STATUSES") ?? [],
    canceled: names("PAYMENT_SERVICE_CANCELED_STATUSES"),
    pending: names("PAYMENT_SERVICE_PENDING_STATUSES"),
    expired: names("PAYMENT_SERVICE_EXPIRED_STATUSES"),
    reversed: names("PAYMENT_SERVICE_REVERSED_STATUSES"),
  }),
  successUrl: env.STOREFRONT_SUCCESS_URL ?? "",
  failureUrl: env.STOREFRONT_FAILURE_URL ?? "",
  pendingUrl: env.STOREFRONT_PENDING_URL,
  backendUrl: env.MEDUSA_BACKEND_URL ?? "",
  payer: given({ ip: env.PAYMENT_SERVICE_PAYER_IP }),
  callbackToken: env.PAYMENT_SERVICE_CALLBACK_TOKEN,
  signingSecret: env.PAYMENT_SERVICE_SIGNING_SECRET,
  signatureScheme: env.PAYMENT_SERVICE_SIGNATURE_SCHEME,
}) satisfies PaymentServicePluginOptions

export default defineConfig({
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    http: {
      storeCors: env.STORE_CORS ?? "http://localhost:8000",
      adminCors: env.ADMIN_CORS ?? "http://localhost:9000",
      authCors: env.AUTH_CORS ?? "http://localhost:8000,http://localhost:9000",
      jwtSecret: env.JWT_SECRET ?? "only-for-development",
      cookieSecret: env.COOKIE_SECRET ?? "only-for-development",
    },
  },
  admin: {
    disable: env.DISABLE_DASHBOARD === "true",
    backendUrl: env.MEDUSA_BACKEND_URL,
  },
  modules: [
    { resolve: "./src/modules/payment-service", options },
    {
      key: Modules.PAYMENT,
      resolve: "@medusajs/medusa/payment",
      options: {
        providers: [{ resolve: "./src/providers/payment-service", id: "main" }],
      },
    },
  ],
})
