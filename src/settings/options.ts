import { z } from "zod"

import { LARGEST_PAYOUT, SMALLEST_PAYOUT } from "../payouts/rules/payout"
import { DEFAULT_SCHEME, mayUseHttp } from "../service/client"
import { WHOLE_UUID } from "../service/schemas"
import { isTimeZone } from "../values/local-days"

/**
 * The one description of the plugin's options. A store gives them to the plugin in `medusa-config.ts`, or its admins on the page
 * Settings: what is set in the file wins, option by option. One account is given flat; several as `accounts: { <id>: {…} }`, where
 * options beside `accounts` are shared by all of them. The id of an account is the `id` of the payment provider's entry in
 * `medusa-config.ts`. Some options belong to the whole store (`storeOptions`), and to no account. The page takes its form from here
 * (`describe-options.ts`), so a new option needs its line here and its two texts in `texts.*.json`.
 */

/** The parts of the page Settings, in its order. */
export const SECTIONS = [
  "service",
  "statuses",
  "storefront",
  "checkout",
  "lists",
  "limits",
] as const

declare module "zod" {
  interface GlobalMeta {
    /** The part of the page that has this option. */
    section?: (typeof SECTIONS)[number]
    /** A secret is sealed where it is kept, and never shown. */
    isSecret?: true
    /** Payers or files are led to its host, which is shown in large before it is saved. */
    hasHost?: true
    /** Only the configuration file may change it, because an admin could rob the store with it, or nobody can type it. */
    isFileOnly?: true
  }
}

/** Currencies that have more or fewer than two decimals, by ISO 4217. */
const WITHOUT_TWO_DECIMALS = new Set(
  (
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF " +
    "BHD IQD JOD KWD LYD OMR TND CLF UYW"
  ).split(" ")
)

/** A section that may be left out, because each of its options has a default. */
const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)

const trueOrFalse = () => z.boolean({ error: "must be true or false" })

/** The message for a section that is missing or not an object; `parse` makes the one for unknown keys. */
const sectionError = (example: string) => (issue: { code?: string }) =>
  issue.code === "invalid_type" ? `must be given as ${example}` : undefined

const rubles = () =>
  z
    .number({ error: "must be a number of whole rubles" })
    .int("must be a number of whole rubles")
    .min(SMALLEST_PAYOUT, `must be at least ${SMALLEST_PAYOUT}, the smallest payout`)

const WHERE = "the page Payouts shows each admin their own id"
const USER_ID = `must be a user's id: ${WHERE}`

/** The store's rules for payouts. Only the configuration file changes them. */
const payoutOptions = z
  .strictObject(
    {
      enabled: trueOrFalse().default(false),
      approval: trueOrFalse().default(false),
      perPayout: rubles()
        .max(LARGEST_PAYOUT, `must be at most ${LARGEST_PAYOUT}, the largest payout`)
        .default(LARGEST_PAYOUT),
      perDay: rubles().optional(),
      timeZone: z
        .string({ error: "must be a time zone such as Europe/Moscow" })
        .refine(isTimeZone, "must be a time zone such as Europe/Moscow")
        .default("UTC"),
      users: z
        .array(
          z
            .string({ error: USER_ID })
            .trim()
            // A person who can invite users chooses their e-mail addresses, but nobody chooses an id.
            .regex(/^[^@\s,]+$/, USER_ID),
          { error: 'must be a list of user ids, for example ["user_01…", "user_02…"]' }
        )
        .transform((ids) => [...new Set(ids)])
        .default([]),
    },
    { error: sectionError('payouts: { enabled: true, perDay: 300000, users: ["user_01…"] }') }
  )
  .superRefine(({ enabled, approval, perDay, users }, issues) => {
    const refuse = (path: string, message: string) =>
      issues.addIssue({ code: "custom", path: [path], message })
    if (!enabled) return
    if (perDay === undefined) refuse("perDay", "must be given where payouts.enabled is true")
    const least = approval ? 2 : 1
    if (users.length < least) {
      refuse("users", `must name ${approval ? "two users at least" : "who may pay out"}: ${WHERE}`)
    }
  })
  .prefault({})

/** An empty text is told once, whatever else the option asks for. */
const text = (what: string) =>
  z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}`, abort: true })

const address = (what: string) =>
  text(what)
    .refine((value) => isBareAddress(value), `must be ${what}, without query or credentials`)
    // One spelling, because rows are found by their address.
    .transform((value) => new URL(value).href.replace(/\/+$/, ""))

const statusNames = () =>
  z.array(text("a status name"), {
    error: "must be a list of status names, as the service writes them",
  })

/** The service's numeric codes by a label; the specification shows no codes. */
const codes = () =>
  z
    .record(
      z.string(),
      text("a numeric code written as text").regex(/^\d+$/, "must be a numeric code as text"),
      { error: 'must be codes by their label, for example { "Paid": "5" }' }
    )
    .default({})

const HOST_NAME = 'a host name such as "files.example.com", without https:// and port'
/** Spelled as `URL` does, because links are compared with it. */
const hostName = text(HOST_NAME)
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u, `must be ${HOST_NAME}`)
  .refine((host) => URL.canParse(`https://${host}`), `must be ${HOST_NAME}`)
  .transform((host) => new URL(`https://${host}`).hostname)

/** A whole number of something. */
const wholeNumber = (what: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .number({ error: `must be a number of ${what}` })
    .int(`must be a whole number of ${what}`)
    .min(least, `must be at least ${least} ${what}`)
    .max(most, `must be at most ${most} ${what}`)

/**
 * Addresses are checked with placeholders filled in, because braces are not allowed in every part of them. Stores may still have
 * the last three: the return page fills in no ids of carts and orders, and the return id for a session's.
 */
const PLACEHOLDERS = /\{(?:return_id|country_code|state|cart_id|order_id|session_id)\}/g
const storefrontAddress = text("the address of a storefront page")
  .refine(
    (value) => isAddress(value.replace(PLACEHOLDERS, "x")),
    "must be a full address of a storefront page, https://…"
  )
  .refine(
    (value) => !/[{}]/.test(value.replace(PLACEHOLDERS, "x")),
    "must use only the placeholders {return_id}, {country_code}, {state}"
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
    const refuse = (list: string, message: string) =>
      issues.addIssue({ code: "custom", path: [list], message })
    for (const known of ["PENDING", "CANCELED"]) {
      if (lists.paid.includes(known)) {
        refuse("paid", `must not contain ${known}, which the specification gives another meaning`)
      }
    }
    const seen = new Map<string, string>()
    for (const [list, names] of Object.entries(lists)) {
      for (const name of names) {
        const other = seen.get(name)
        if (other && other !== list) {
          refuse(list, `must not name "${name}" again, it is in statuses.${other}`)
        }
        seen.set(name, list)
      }
    }
  })

/** The options of the store as a whole. They are the same for all accounts. */
export const storeOptions = z.object({
  backendUrl: address("the public address of this store's backend").meta({
    section: "service",
    hasHost: true,
  }),
  callbackToken: text("a token")
    .regex(/^[\w-]{16,128}$/, "must be 16 to 128 letters, digits, - or _")
    .optional()
    .meta({ section: "service", isSecret: true, isFileOnly: true }),
  watcher: section({
    readsPerSecond: wholeNumber("reads", 1, 1_000).default(5),
  }).meta({ section: "limits" }),
  creationLimits: section({
    perCart: wholeNumber("payments in ten minutes", 1).default(10),
  }).meta({ section: "limits" }),
  payouts: payoutOptions.meta({ section: "limits", isFileOnly: true }),
  language: z
    .enum(["en", "ru"], { error: 'must be "en" or "ru"' })
    .default("en")
    .meta({ section: "limits" }),
  retention: section({
    years: wholeNumber("years", 2, 100).default(5),
    days: wholeNumber("days", 1, 3_660).default(90),
  }).meta({ section: "limits" }),
})

export const accountOptions = z.object({
  baseUrl: address("the https address of the Payment Service")
    .refine(
      (value) => value.startsWith("https:") || mayUseHttp(new URL(value).hostname),
      "must be an https address (http only on this machine, and in a private network outside production)"
    )
    .meta({ section: "service" }),
  merchantId: text("the merchant id, a UUID")
    .regex(WHOLE_UUID, "must be the merchant id, a UUID")
    .meta({ section: "service" }),
  // Node refuses other characters in a header, or changes them on the way.
  secret: text("the merchant secret")
    .regex(/^[!-~]+$/, "must be the merchant secret, without blanks and letters outside ASCII")
    .meta({ section: "service", isSecret: true }),
  statuses: statuses.meta({ section: "statuses" }),
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
    .default(["RUB"])
    .meta({ section: "checkout" }),
  successUrl: storefront.successUrl.meta({ section: "storefront", hasHost: true }),
  failureUrl: storefront.failureUrl.meta({ section: "storefront", hasHost: true }),
  pendingUrl: storefront.pendingUrl.meta({ section: "storefront", hasHost: true }),
  storefronts: z
    .record(z.string(), z.strictObject({ ...storefront, name: text("a shop's name").optional() }))
    .default({})
    .meta({ section: "storefront", isFileOnly: true }),
  description: text("a text").default("{store}: {items}").meta({ section: "checkout" }),
  payer: section({
    userId: z
      .enum(["required", "optional"], { error: 'must be "required" or "optional"' })
      .default("required"),
    name: trueOrFalse().default(false),
    ip: text('"off", "request" or the name of a header').default("off"),
  }).meta({ section: "checkout" }),
  orderPlacement: z
    .enum(["after_payment", "before_payment"], {
      error: 'must be "after_payment" or "before_payment"',
    })
    .default("after_payment")
    .meta({ section: "checkout" }),
  export: section({
    statusCodes: codes(),
    methodCodes: codes(),
    linkHosts: z
      .array(hostName, {
        error: 'must be a list of host names, for example ["files.example.com"]',
      })
      .default([])
      .meta({ hasHost: true }),
  }).meta({ section: "lists" }),
  subscriptions: section({
    callbacks: trueOrFalse().default(false),
    statusCodes: codes(),
    intervalCodes: codes(),
  }).meta({ section: "lists" }),
  signingSecret: text("the signing secret of the payout area")
    .optional()
    .meta({ section: "service", isSecret: true }),
  signatureScheme: text("a scheme prefix")
    .regex(/^[\w-]+$/, `must be a scheme prefix such as ${DEFAULT_SCHEME}`)
    .default(DEFAULT_SCHEME)
    .meta({ section: "service" }),
})

/** The options that suffice to ask the service, before anybody can pay. */
export const connectionOptions = accountOptions.pick({
  baseUrl: true,
  merchantId: true,
  secret: true,
  signingSecret: true,
  signatureScheme: true,
  export: true,
})

/** All that the file may give: another name in it is a mistake. */
export const everyOption = z.strictObject({ ...accountOptions.shape, ...storeOptions.shape })

/** The checked options of one account, with defaults. */
export type AccountOptions = z.output<typeof accountOptions>
/** The checked options of the whole store, with defaults. Its address may still be missing; no account is complete then. */
export type StoreOptions = Omit<z.output<typeof storeOptions>, "backendUrl"> & {
  backendUrl?: string | undefined
}
type OfAccount = z.input<typeof accountOptions>
/** The file may leave out any option, which can then be set on the page Settings; undefined counts as left out. */
type Left<Options> = { [Name in keyof Options]?: Options[Name] | undefined }
type AccountInput = Left<Omit<OfAccount, "statuses">> & {
  statuses?: Left<OfAccount["statuses"]> | undefined
}
/** The options of one account and of the store, as written in `medusa-config.ts`. */
export type AccountOptionsInput = AccountInput & Left<z.input<typeof storeOptions>>
/** The plugin's options, as written in `medusa-config.ts`. */
export type PaymentServiceOptions = AccountOptionsInput & {
  accounts?: Record<string, AccountInput> | undefined
}

/** The plugin appends paths, which a query or fragment would swallow. */
function isBareAddress(value: string): boolean {
  return isAddress(value) && !/[?#@]/.test(value)
}

function isAddress(value: string): boolean {
  return z.url({ protocol: /^https?$/ }).safeParse(value).success
}
