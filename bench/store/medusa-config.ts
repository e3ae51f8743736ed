import path from "node:path"

import { defineConfig, Modules } from "@medusajs/framework/utils"

/**
 * A store like a merchant's: the plugin as `npm run build` makes it, configured as the README says. With
 * `BENCH_WITHOUT_PLUGIN` the same store without it, for what the plugin costs at the start.
 */

const { env } = process
const plugin = path.resolve(__dirname, "../..")
const landing = "http://localhost:8000/result?return={return_id}&state={state}"
const withPlugin = !env.BENCH_WITHOUT_PLUGIN

export default defineConfig({
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    http: {
      storeCors: "http://localhost:8000",
      adminCors: "http://localhost:9000",
      authCors: "http://localhost:9000",
      jwtSecret: env.JWT_SECRET ?? "",
      cookieSecret: env.COOKIE_SECRET ?? "",
    },
  },
  // No shopper and no callback meets it, and building it takes longer than all figures.
  admin: { disable: true },
  plugins: withPlugin
    ? [
        {
          resolve: plugin,
          options: {
            backendUrl: env.MEDUSA_BACKEND_URL,
            callbackToken: env.PAYMENT_SERVICE_CALLBACK_TOKEN,
            baseUrl: env.PAYMENT_SERVICE_URL,
            merchantId: env.PAYMENT_SERVICE_MERCHANT_ID,
            secret: env.PAYMENT_SERVICE_SECRET,
            statuses: { paid: ["CONFIRMED"], expired: ["EXPIRED"] },
            successUrl: landing,
            failureUrl: landing,
          },
        },
      ]
    : [],
  modules: withPlugin
    ? [
        {
          key: Modules.PAYMENT,
          resolve: "@medusajs/medusa/payment",
          options: {
            providers: [
              {
                resolve: path.join(plugin, ".medusa/server/src/providers/payment-service"),
                id: "main",
              },
            ],
          },
        },
      ]
    : [],
})
