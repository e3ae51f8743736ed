import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

import { partsOfProvider } from "../../../src/payments/rules/transaction"
import { METHOD_PROVIDERS } from "../../../src/providers/payment-service"
import { METHODS } from "../../../src/texts"

it("has a text for each method, in the order of their classes (promise 21)", () => {
  expect(METHODS).toEqual(METHOD_PROVIDERS.map(({ identifier }) => identifier))
})

it("names no method outside its class, the storefront's table and texts, and a color", () => {
  const root = path.resolve(__dirname, "../../..")
  const filesOf = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      path.posix.join(folder, file)
    )
  const code = ["admin", "src", "storefront"]
    .flatMap(filesOf)
    .filter((file) => /\.tsx?$/.test(file) && !/^src\/admin\/|\/(?:dist|node_modules)\//.test(file))
  const named = /["'`_|(](?:sbp|crypto)["'`_|)]|\b(?:sbp|crypto)(?:Hint)?: /
  const naming = code.filter((file) => named.test(readFileSync(path.join(root, file), "utf8")))
  expect(naming.sort()).toEqual([
    "admin/components/overview/overview.tsx",
    "src/providers/payment-service/index.ts",
    "storefront/methods.ts",
    "storefront/texts/en.ts",
    "storefront/texts/ru.ts",
  ])
})

it.each<[unknown, string | null]>([
  ["pp_sbp_main", "main"],
  ["pp_sbp_two_words", "two_words"],
  ["pp_sbp_crypto", "crypto"],
  ["pp_sbp", ""],
  ["pp_sbpx_main", null],
  ["sbp_main", null],
  ["pp_system_default", null],
  ["pp_stripe_sbp_main", null],
  [null, null],
  [5, null],
])("%p is of account %p (promise 26)", (providerId, account) => {
  expect(partsOfProvider(providerId)?.account ?? null).toBe(account)
})
