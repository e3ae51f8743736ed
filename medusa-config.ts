import { defineConfig, loadEnv, Modules } from "@medusajs/framework/utils"
import type { PaymentServiceOptions } from "medusa-payment-sbp-crypto"

loadEnv(process.env.NODE_ENV ?? "development", process.cwd())

/** The environment; an empty variable counts as unset, as in a copied .env.template. */
const env: Partial<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).filter(([, value]) => value !== "")
)
/** A list; unlike in other variables, an empty one counts: then no status has that meaning. */
const names = (variable: string) =>
  process.env[variable]
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean)
/** Removes unset options, so that the plugin's defaults apply. */
const given = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T

/** A text that is not a number is refused together with the other options. */
const number = (variable: string) => {
  const text = env[variable]
  return text === undefined ? undefined : Number(text)
}

/**
 * A text that is neither true nor false is refused together with the other options, so that a typing error switches no guard off.
 */
const flag = (variable: string) => {
  const text = env[variable]
  return text === "true" || (text === "false" ? false : (text as undefined))
}

/**
 * This repository runs as a store here; in another store, the plugin gets `options` (see README). What is not set here may be set in
 * the dashboard, on the page Settings.
 */
const options = given({
  baseUrl: env.PAYMENT_SERVICE_URL,
  merchantId: env.PAYMENT_SERVICE_MERCHANT_ID,
  secret: env.PAYMENT_SERVICE_SECRET,
  statuses: given({
    paid: names("PAYMENT_SERVICE_PAID_STATUSES"),
    canceled: names("PAYMENT_SERVICE_CANCELED_STATUSES"),
    pending: names("PAYMENT_SERVICE_PENDING_STATUSES"),
    expired: names("PAYMENT_SERVICE_EXPIRED_STATUSES"),
    reversed: names("PAYMENT_SERVICE_REVERSED_STATUSES"),
  }),
  successUrl: env.STOREFRONT_SUCCESS_URL,
  failureUrl: env.STOREFRONT_FAILURE_URL,
  pendingUrl: env.STOREFRONT_PENDING_URL,
  backendUrl: env.MEDUSA_BACKEND_URL,
  payer: given({ ip: env.PAYMENT_SERVICE_PAYER_IP }),
  // The value is checked together with the other options.
  orderPlacement: env.PAYMENT_SERVICE_ORDER_PLACEMENT as "before_payment" | undefined,
  callbackToken: env.PAYMENT_SERVICE_CALLBACK_TOKEN,
  signingSecret: env.PAYMENT_SERVICE_SIGNING_SECRET,
  signatureScheme: env.PAYMENT_SERVICE_SIGNATURE_SCHEME,
  payouts: given({
    enabled: flag("PAYMENT_SERVICE_PAYOUTS_ENABLED"),
    approval: flag("PAYMENT_SERVICE_PAYOUTS_APPROVAL"),
    perPayout: number("PAYMENT_SERVICE_PAYOUTS_PER_PAYOUT"),
    perDay: number("PAYMENT_SERVICE_PAYOUTS_PER_DAY"),
    users: names("PAYMENT_SERVICE_PAYOUTS_USERS"),
  }),
}) satisfies PaymentServiceOptions

export default defineConfig({
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    workerMode: workerMode(),
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
    // The dashboard's payment links begin with this address.
    storefrontUrl: env.STOREFRONT_URL,
    vite: () => ({
      // Otherwise Vite would find these when a page is first opened, bundle anew, and reload the page while it is used.
      optimizeDeps: {
        include: [
          "@medusajs/admin-sdk",
          "@medusajs/dashboard/components",
          "@medusajs/dashboard/hooks",
          "@medusajs/icons",
          "uqr",
        ],
      },
      // Two stores that run at once must not bundle into one folder.
      ...(env.DASHBOARD_CACHE_FOLDER
        ? {
            cacheDir: env.DASHBOARD_CACHE_FOLDER,
            server: { fs: { allow: [env.DASHBOARD_CACHE_FOLDER] } },
          }
        : {}),
    }),
  },
  // Medusa's caching is behind a flag; without a cache that all instances share it stays off.
  ...(env.REDIS_URL ? { featureFlags: { caching: true } } : {}),
  modules: [
    ...sharedByInstances(),
    // Core makes its own list of modules before it knows the flag.
    ...(env.MEDUSA_FF_RBAC === "true"
      ? [{ key: Modules.RBAC, resolve: "@medusajs/medusa/rbac" }]
      : []),
    { resolve: "./src/modules/payment-service", options },
    {
      key: Modules.PAYMENT,
      resolve: "@medusajs/medusa/payment",
      options: {
        providers: (names("PAYMENT_SERVICE_ACCOUNTS") ?? ["main"]).map((id) => ({
          resolve: "./src/providers/payment-service",
          id,
        })),
      },
    },
  ],
})

/** `shared` does both; several instances of a store are servers and workers (see README). */
function workerMode() {
  const mode = env.MEDUSA_WORKER_MODE ?? "shared"
  if (mode !== "shared" && mode !== "server" && mode !== "worker") {
    throw new Error(`MEDUSA_WORKER_MODE must be shared, server or worker, not ${mode}`)
  }
  return mode
}

/** The modules that instances of one store share; Medusa's own defaults are in the memory of one process. */
function sharedByInstances() {
  const redisUrl = env.REDIS_URL
  const locking = env.LOCKING ?? (redisUrl ? "redis" : "memory")
  if (!["redis", "postgres", "memory"].includes(locking)) {
    throw new Error(`LOCKING must be redis, postgres or memory, not ${locking}`)
  }
  const lockingProvider = {
    resolve: `@medusajs/medusa/locking-${locking}`,
    id: `locking-${locking}`,
    is_default: true,
    ...(locking === "redis" ? { options: { redisUrl } } : {}),
  }
  return [
    ...(locking === "memory"
      ? []
      : [
          {
            key: Modules.LOCKING,
            resolve: "@medusajs/medusa/locking",
            options: { providers: [lockingProvider] },
          },
        ]),
    ...(redisUrl
      ? [
          {
            key: Modules.EVENT_BUS,
            resolve: "@medusajs/medusa/event-bus-redis",
            options: { redisUrl },
          },
          {
            key: Modules.WORKFLOW_ENGINE,
            resolve: "@medusajs/medusa/workflow-engine-redis",
            options: { redis: { redisUrl } },
          },
          {
            key: Modules.CACHING,
            resolve: "@medusajs/medusa/caching",
            options: {
              providers: [
                {
                  resolve: "@medusajs/medusa/caching-redis",
                  id: "caching-redis",
                  is_default: true,
                  options: { redisUrl },
                },
              ],
            },
          },
        ]
      : []),
  ]
}
