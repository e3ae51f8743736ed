import type { Simulator } from "../../simulator"

const JWT_SECRET = "a-secret-of-the-tests"
export const CALLBACK_TOKEN = "a-callback-token-of-the-tests"

/** For a store process: as in production, but without what a test has no use for. */
export function storeEnvironment(simulator: Simulator): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return {
    PATH,
    HOME,
    TMPDIR,
    NODE_ENV: "production",
    DISABLE_DASHBOARD: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
    JWT_SECRET,
    COOKIE_SECRET: "a-secret-of-the-tests",
    MEDUSA_BACKEND_URL: "http://store.test",
    PAYMENT_SERVICE_URL: simulator.url,
    PAYMENT_SERVICE_MERCHANT_ID: simulator.merchantId,
    PAYMENT_SERVICE_SECRET: simulator.secret,
    PAYMENT_SERVICE_PAID_STATUSES: "CONFIRMED",
    PAYMENT_SERVICE_CALLBACK_TOKEN: CALLBACK_TOKEN,
    STOREFRONT_SUCCESS_URL: "http://shop.test/done?return={return_id}&state={state}",
    STOREFRONT_FAILURE_URL: "http://shop.test/failed?state={state}",
    STOREFRONT_PENDING_URL: "http://shop.test/wait?state={state}",
  }
}
