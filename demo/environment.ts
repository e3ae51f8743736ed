import type { DemoSecrets } from "./data-folder"

type DemoAddresses = {
  /** The Medusa store. */
  backend: string
  storefront: string
  databaseUrl: string
  /** The Payment Service, be it the simulator or another one. */
  service: string
}

/** Variables that must be set for a Payment Service other than our simulator. */
const neededForService = [
  "PAYMENT_SERVICE_MERCHANT_ID",
  "PAYMENT_SERVICE_SECRET",
  "PAYMENT_SERVICE_PAID_STATUSES",
]

/** @throws Error with a sentence, when PAYMENT_SERVICE_URL is given without what belongs to it */
export function checkEnvironment(env: NodeJS.ProcessEnv): void {
  if (!env.PAYMENT_SERVICE_URL) return
  const missing = neededForService.filter((name) => !env[name])
  if (missing.length === 0) return
  throw new Error(
    `PAYMENT_SERVICE_URL is set, so the demo uses that service and not its simulator; ` +
      `please set ${missing.join(", ")} too.`
  )
}

/** The account at the simulator; what is set already wins. */
export function accountEnvironment(env: NodeJS.ProcessEnv, secrets: DemoSecrets) {
  return {
    PAYMENT_SERVICE_MERCHANT_ID: env.PAYMENT_SERVICE_MERCHANT_ID || secrets.merchantId,
    PAYMENT_SERVICE_SECRET: env.PAYMENT_SERVICE_SECRET || secrets.merchantSecret,
    PAYMENT_SERVICE_SIGNING_SECRET: env.PAYMENT_SERVICE_SIGNING_SECRET || secrets.signingSecret,
    PAYMENT_SERVICE_SIGNATURE_SCHEME: env.PAYMENT_SERVICE_SIGNATURE_SCHEME || "SVC-HMAC",
    PAYMENT_SERVICE_PENDING_STATUSES: env.PAYMENT_SERVICE_PENDING_STATUSES ?? "PENDING",
    PAYMENT_SERVICE_PAID_STATUSES: env.PAYMENT_SERVICE_PAID_STATUSES || "CONFIRMED",
    PAYMENT_SERVICE_CANCELED_STATUSES: env.PAYMENT_SERVICE_CANCELED_STATUSES ?? "CANCELED",
    PAYMENT_SERVICE_EXPIRED_STATUSES: env.PAYMENT_SERVICE_EXPIRED_STATUSES ?? "EXPIRED",
    PAYMENT_SERVICE_REVERSED_STATUSES: env.PAYMENT_SERVICE_REVERSED_STATUSES ?? "CHARGEBACKED",
    PAYMENT_SERVICE_PAYOUTS_ENABLED: "true",
    PAYMENT_SERVICE_PAYOUTS_PER_DAY: "300000",
    PAYMENT_SERVICE_PAYOUTS_USERS: "demo",
  }
}

/** The variables that an empty shop sets in its dashboard instead, so that `medusa-config.ts` gets none of them. */
const SET_UP_BY_CLICKING =
  /^PAYMENT_SERVICE_(?!ENCRYPTION_KEY|CALLBACK_TOKEN|ACCOUNTS)|^(?:STOREFRONT_(?:SUCCESS|FAILURE|PENDING)|MEDUSA_BACKEND)_URL$/

/** The same for a shop without an account. */
export const emptyStoreEnvironment = (store: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(store).filter(([name]) => !SET_UP_BY_CLICKING.test(name)))

/** Everything that medusa-config.ts reads; what is set already wins. */
export function storeEnvironment(
  env: NodeJS.ProcessEnv,
  secrets: DemoSecrets,
  { backend, storefront, databaseUrl, service }: DemoAddresses
): NodeJS.ProcessEnv {
  const result = `${storefront}/result?return={return_id}&state={state}`
  const alsoByAddress = (url: string) => `${url},${url.replace("//localhost", "//127.0.0.1")}`
  const defaults: NodeJS.ProcessEnv = {
    // Of a service that is not ours, only the merchant knows the account and the statuses.
    ...(env.PAYMENT_SERVICE_URL ? {} : accountEnvironment(env, secrets)),
    // Without one, the store makes its own, which the simulator is not told.
    ...(env.CALLBACK_TOKEN_IS_GENERATED === "true"
      ? {}
      : { PAYMENT_SERVICE_CALLBACK_TOKEN: secrets.callbackToken }),
    PAYMENT_SERVICE_ENCRYPTION_KEY: secrets.encryptionKey,
    STOREFRONT_URL: storefront,
    STOREFRONT_SUCCESS_URL: result,
    STOREFRONT_FAILURE_URL: result,
    STOREFRONT_PENDING_URL: result,
    STORE_CORS: alsoByAddress(storefront),
    ADMIN_CORS: alsoByAddress(backend),
    AUTH_CORS: `${alsoByAddress(storefront)},${alsoByAddress(backend)}`,
    JWT_SECRET: secrets.jwtSecret,
    COOKIE_SECRET: secrets.cookieSecret,
    MEDUSA_DISABLE_TELEMETRY: "true",
  }
  const isSet = ([, value]: [string, string | undefined]) => value !== undefined && value !== ""
  return {
    ...defaults,
    ...Object.fromEntries(Object.entries(env).filter(isSet)),
    // An empty list is an answer too: no status has that meaning.
    ...Object.fromEntries(
      Object.entries(env).filter(([name]) => /^PAYMENT_.*STATUSES$/.test(name))
    ),
    PAYMENT_SERVICE_URL: service,
    MEDUSA_BACKEND_URL: backend,
    DATABASE_URL: databaseUrl,
    // Over plain http Medusa keeps the dashboard's login only outside production, and in development it does not serve
    // the dashboard as it was built.
    NODE_ENV: env.BUILT_DASHBOARD ? "demo" : "development",
  }
}

/** The ids of the demo's two admins in place of `demo` in the list of those who may pay out. */
export function withPayoutUsers(env: NodeJS.ProcessEnv, adminIds: string[]): NodeJS.ProcessEnv {
  const named = (env.PAYMENT_SERVICE_PAYOUTS_USERS ?? "").split(",").map((name) => name.trim())
  const ids = named.flatMap((name) => (name === "demo" ? adminIds : [name]))
  return { ...env, PAYMENT_SERVICE_PAYOUTS_USERS: ids.join(",") }
}
