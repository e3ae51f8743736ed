import { isDeepStrictEqual } from "node:util"

import { MedusaError } from "@medusajs/framework/utils"
import { z } from "zod"

import { DEFAULT_TIMEOUTS } from "../../service/client"
import { isLoopback } from "../../service/loopback"
import { WHOLE_UUID } from "../../service/uuid"
import { LONGEST_READ_MS } from "../../settlement/timing"
import { payoutOptions } from "./payout-options"

/**
 * The plugin's options, as a store gives them once to the plugin. One account is given flat; several
 * as `accounts: { <id>: {…} }`, where options beside `accounts` are shared by all of them. The id of
 * an account is the `id` of the payment provider's entry in `medusa-config.ts`. Some options belong to the
 * whole store (`storeOptions`); they may stand in accounts, too, as long as no two differ.
 */

/** Currencies that have more or fewer than two decimals, by ISO 4217. */
const WITHOUT_TWO_DECIMALS = new Set(
  (
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF " +
    "BHD IQD JOD KWD LYD OMR TND CLF UYW"
  ).split(" ")
)
/** How long opening a payment may take in all while a shopper waits; the creation gets what is left. */
export const LONGEST_OPENING_MS = DEFAULT_TIMEOUTS.createMs

const text = (what: string) => z.string({ error: `must be ${what}` }).min(1, `must be ${what}`)

const address = (what: string) =>
  text(what)
    .refine((value) => isBareAddress(value), `must be ${what}, without query or credentials`)
    // In one spelling, because rows are found by their address.
    .transform((value) => new URL(value).href.replace(/\/+$/, ""))

/** The message for a section that is missing or no object; for unknown keys, `parse` makes another. */
const sectionError = (example: string) => (issue: { code?: string }) =>
  issue.code === "invalid_type" ? `must be given as ${example}` : undefined

const statusNames = () =>
  z.array(text("a status name"), {
    error: 'must be a list of status names, for example ["CANCELED"]',
  })

/** The service's numeric codes by their label; the specification gives none. */
const codes = () =>
  z
    .record(
      z.string(),
      text("a numeric code written as text").regex(/^\d+$/, "must be a numeric code as text"),
      { error: 'must be codes by their label, for example { "Paid": "5" }' }
    )
    .default({})

const HOST_NAME = 'a host name such as "files.example.com", without https:// and port'
/** In the spelling of `URL`, because links are compared by it. */
const hostName = text(HOST_NAME)
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u, `must be ${HOST_NAME}`)
  .refine((host) => URL.canParse(`https://${host}`), `must be ${HOST_NAME}`)
  .transform((host) => new URL(`https://${host}`).hostname)

const milliseconds = (most: number) =>
  z
    .number({ error: `must be a number of milliseconds up to ${most}` })
    .int()
    .min(100, "must be at least 100 milliseconds")
    .max(most, `must be at most ${most} milliseconds`)

/** A number of payments that may be opened in a window of ten minutes, see `creation-limits.ts`. */
const most = () =>
  z
    .number({ error: "must be a number of payments in ten minutes" })
    .int("must be a whole number")
    .min(1, "must be at least 1")

/**
 * Addresses are checked with placeholders filled in, because braces are not allowed in every part of them.
 */
const PLACEHOLDERS = /\{(?:cart_id|order_id|session_id|country_code|state)\}/g
const storefrontAddress = text("the address of a storefront page")
  .refine(
    (value) => isAddress(value.replace(PLACEHOLDERS, "x")),
    "must be a full address of a storefront page, https://…"
  )
  .refine(
    (value) => !/[{}]/.test(value.replace(PLACEHOLDERS, "x")),
    "must use only the placeholders {cart_id}, {order_id}, {session_id}, {country_code}, {state}"
  )

const storefront = {
  successUrl: storefrontAddress,
  failureUrl: storefrontAddress,
  pendingUrl: storefrontAddress.optional(),
}

const statuses = z
  .strictObject(
    {
      paid: statusNames().min(
        1,
        "must name at least one status: the specification does not say how the service calls a paid transaction"
      ),
      canceled: statusNames().default(["CANCELED"]),
      pending: statusNames().default(["PENDING"]),
      expired: statusNames().default([]),
      reversed: statusNames().default([]),
    },
    { error: sectionError('statuses: { paid: ["…"] }, the service\'s name of a paid transaction') }
  )
  .superRefine((lists, issues) => {
    for (const known of ["PENDING", "CANCELED"]) {
      if (lists.paid.includes(known)) {
        issues.addIssue({
          code: "custom",
          path: ["paid"],
          message: `must not contain ${known}, which the specification gives another meaning`,
        })
      }
    }
    const seen = new Map<string, string>()
    for (const [list, names] of Object.entries(lists)) {
      for (const name of names) {
        const other = seen.get(name)
        if (other && other !== list) {
          issues.addIssue({
            code: "custom",
            path: [list],
            message: `must not name "${name}" again, it is in statuses.${other}`,
          })
        }
        seen.set(name, list)
      }
    }
  })

/** The options that are the same for all accounts, because they are about the store and not about one merchant. */
const storeOptions = z.strictObject({
  backendUrl: address("the public address of this store's backend"),
  callbackToken: text("a token")
    .regex(/^[\w-]{16,128}$/, "must be 16 to 128 letters, digits, - or _")
    .optional(),
  watcher: z
    .strictObject({
      readsPerSecond: z.number().int().min(1).max(1_000).default(5),
      concurrency: z.number().int().min(1).max(64).default(4),
    })
    .prefault({}),
  creationLimits: z
    .strictObject({
      perCart: most().default(10),
      perPayer: most().default(60),
      perAddress: most().default(300),
      perStore: most().default(6_000),
    })
    .prefault({}),
  payouts: payoutOptions,
})

const accountOptions = z.strictObject({
  baseUrl: address("the https address of the Payment Service").refine(
    (value) => value.startsWith("https:") || isLoopback(new URL(value).hostname),
    "must be an https address (http only on this machine)"
  ),
  merchantId: text("the merchant id, a UUID").regex(WHOLE_UUID, "must be the merchant id, a UUID"),
  secret: text("the merchant secret").regex(/^\S+$/, "must be the merchant secret, without blanks"),
  statuses,
  currencies: z
    .array(
      text("a currency code")
        .regex(/^[A-Za-z]{3}$/, "must be currency codes such as RUB")
        .transform((code) => code.toUpperCase())
        // Amounts are sent and compared in hundredths.
        .refine(
          (code) => !WITHOUT_TWO_DECIMALS.has(code),
          "must be a currency with two decimals, since amounts in others would be rounded wrongly"
        )
    )
    .min(1, "must name at least one currency")
    .default(["RUB"]),
  ...storefront,
  storefronts: z.record(z.string(), z.strictObject(storefront)).default({}),
  description: text("a text").default("{store}: {items}"),
  payer: z
    .strictObject({
      userId: z
        .enum(["required", "optional"], { error: 'must be "required" or "optional"' })
        .default("required"),
      name: z.boolean({ error: "must be true or false" }).default(false),
      ip: text('"off", "request" or the name of a header').default("off"),
    })
    .prefault({}),
  orderPlacement: z
    .enum(["after_payment", "before_payment"], {
      error: 'must be "after_payment" or "before_payment"',
    })
    .default("after_payment"),
  reconcile: z.strictObject({ days: z.number().int().min(1).max(366).default(35) }).prefault({}),
  export: z
    .strictObject({
      statusCodes: codes(),
      methodCodes: codes(),
      linkHosts: z
        .array(hostName, {
          error: 'must be a list of host names, for example ["files.example.com"]',
        })
        .default([]),
    })
    .prefault({}),
  subscriptions: z
    .strictObject({
      callbacks: z.boolean({ error: "must be true or false" }).default(false),
      statusCodes: codes(),
      intervalCodes: codes(),
    })
    .prefault({}),
  timeouts: z
    .strictObject({
      createMs: milliseconds(LONGEST_OPENING_MS).default(DEFAULT_TIMEOUTS.createMs),
      readMs: milliseconds(LONGEST_READ_MS).default(DEFAULT_TIMEOUTS.readMs),
      exportMs: milliseconds(600_000).default(60_000),
      payoutMs: milliseconds(120_000).default(30_000),
    })
    .prefault({}),
  signingSecret: text("the signing secret of the payout area").optional(),
  signatureScheme: text("a scheme prefix")
    .regex(/^[\w-]+$/, "must be a scheme prefix such as SVC-HMAC")
    .default("SVC-HMAC"),
})

const everyOption = accountOptions.extend(storeOptions.shape)

/** The options of one account, complete and checked. */
export type AccountOptions = z.output<typeof accountOptions>
/** The options of the whole store, complete and checked. */
export type StoreOptions = z.output<typeof storeOptions>
/** The options of one account, as `medusa-config.ts` has them. */
export type AccountOptionsInput = z.input<typeof everyOption>
/** The plugin's options, as `medusa-config.ts` has them. */
export type PaymentServicePluginOptions =
  | AccountOptionsInput
  | (Partial<AccountOptionsInput> & { accounts: Record<string, Partial<AccountOptionsInput>> })

/** The plugin's options, complete and checked. */
export interface ResolvedOptions {
  store: StoreOptions
  /** Every account once; there is one at least. */
  accounts: [AccountOptions, ...AccountOptions[]]
  /** The ids of the accounts, in the same order; a flat configuration has none. */
  ids: string[]
  /** The account with an id. A flat configuration has one account, whatever id the provider was given. */
  find: (id: string) => AccountOptions | undefined
}

/**
 * Checks the plugin's options and fills in what has a default.
 *
 * @throws MedusaError `INVALID_DATA` with a sentence that names the wrong option and what it must be
 */
export function resolveOptions(raw: unknown): ResolvedOptions {
  if (typeof raw !== "object" || raw === null) {
    throw refusal("", "options must be given to the plugin in medusa-config.ts")
  }
  // `database` is what core adds to the options of every module.
  const { accounts, database: _, ...shared } = raw as Record<string, unknown>
  if (accounts === undefined) {
    const { store, account } = parse("", shared)
    return { store, accounts: [account], ids: [], find: () => account }
  }
  if (typeof accounts !== "object" || accounts === null || !Object.keys(accounts).length) {
    throw refusal("accounts", "must hold the options of at least one account by its id")
  }
  const given = Object.entries(accounts).map(([id, own]): [string, Record<string, unknown>] => [
    id,
    { ...shared, ...(own as Record<string, unknown>) },
  ])
  // An account that gives none of the store's options has what the others give.
  const ofStore = Object.assign({}, ...given.map(([, options]) => storesOwn(options))) as object
  const parsed = given.map(
    ([id, options]) =>
      [id, parse(`accounts.${id}.`, { ...options, ...ofStore, ...storesOwn(options) })] as const
  )
  const byId = new Map(parsed.map(([id, { account }]) => [id, account]))
  return {
    store: agreed(parsed.map(([, { store }]) => store)),
    accounts: [...byId.values()] as [AccountOptions, ...AccountOptions[]],
    ids: [...byId.keys()],
    find: (id) => byId.get(id),
  }
}

/** The store's options among those that are given. */
function storesOwn(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => isStoresOwn(name) && value !== undefined)
  )
}

function isStoresOwn(name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(storeOptions.shape, name)
}

/** @throws MedusaError `INVALID_DATA` when accounts give different options to the store */
function agreed(stores: StoreOptions[]): StoreOptions {
  const [first = {} as StoreOptions] = stores
  for (const name of Object.keys(first) as (keyof StoreOptions)[]) {
    if (stores.some((other) => !isDeepStrictEqual(other[name], first[name]))) {
      throw refusal(
        name,
        "belongs to the whole store, and accounts must not differ in it: give it once, beside accounts"
      )
    }
  }
  return first
}

function parse(prefix: string, raw: object): { store: StoreOptions; account: AccountOptions } {
  const parsed = everyOption.safeParse(raw)
  if (parsed.success) {
    const { backendUrl, callbackToken, watcher, creationLimits, payouts, ...account } = parsed.data
    return { store: { backendUrl, callbackToken, watcher, creationLimits, payouts }, account }
  }
  const sentences = parsed.error.issues.map((issue) => {
    const option = `${isStoresOwn(issue.path[0]) ? "" : prefix}${issue.path.join(".")}`
    if (issue.code === "unrecognized_keys") {
      const where = issue.path.length ? `${option}.` : prefix
      return issue.keys.map((key) => `${where}${key} is not an option of this plugin`).join("; ")
    }
    return `${option} ${issue.message}`
  })
  throw refusal("", sentences.join("; "))
}

/** A refusal of the options, in a sentence that begins with the option's name. */
export function refusal(option: string, sentence: string): MedusaError {
  const subject = option ? `${option} ` : ""
  return new MedusaError(
    MedusaError.Types.INVALID_DATA,
    `medusa-payment-sbp-crypto: ${subject}${sentence}`
  )
}

/** Paths are appended to it, which a query or fragment would swallow. */
function isBareAddress(value: string): boolean {
  return isAddress(value) && !/[?#@]/.test(value)
}

function isAddress(value: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(value).protocol)
  } catch {
    return false
  }
}
