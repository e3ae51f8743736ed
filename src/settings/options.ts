import { z } from "zod"

import { LARGEST_PAYOUT, SMALLEST_PAYOUT } from "../payouts/rules/payout"
import { DEFAULT_SCHEME, mayUseHttp } from "../service/client"
import { WHOLE_UUID } from "../service/schemas"
import type { Code } from "../texts"
import { isTimeZone } from "../values/local-days"

/**
 * The one description of the plugin's options. In `medusa-config.ts` one account is given flat; several as `accounts: { <id>: {…} }`,
 * where options beside `accounts` are shared by all of them, and an id is that of the payment provider's entry. The page Settings
 * takes its form from here (`OPTIONS`), so a new option needs its line here and its two texts in `texts.*.json`.
 */

export const SECTIONS = [
  "service",
  "statuses",
  "storefront",
  "checkout",
  "lists",
  "limits",
] as const

export const SENT_SECRETS = ["secret", "signingSecret"]

/** The id under which the settings of all accounts together, and of the store, are kept. */
export const SHARED = ""

declare module "zod" {
  interface GlobalMeta {
    section?: (typeof SECTIONS)[number]
    isSecret?: true
    /** Payers or files are led to its host, which is shown in large before it is saved. */
    hasHost?: true
    /** Only the configuration file may change it, because an admin could rob the store with it, or nobody can type it. */
    isFileOnly?: true
  }
}

/** Options that may all be left out, because each has a default. */
const group = <Shape extends z.ZodRawShape>(section: (typeof SECTIONS)[number], shape: Shape) =>
  z
    .strictObject(shape)
    .prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)
    .meta({ section })

/** An empty text is told once, whatever else the option asks for. */
const text = (what: string) =>
  z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}`, abort: true })

const trueOrFalse = () => z.boolean({ error: "must be true or false" })

const listOf = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, { error: `must be a list of ${what}` })

const oneOf = <Name extends string>(first: Name, other: Name) =>
  z.enum([first, other], { error: `must be "${first}" or "${other}"` }).default(first)

/** The message for a section that is missing or not an object; `parse` makes the one for unknown keys. */
const sectionError = (example: string) => (issue: { code?: string }) =>
  issue.code === "invalid_type" ? `must be given as ${example}` : undefined

const wholeNumber = (what: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .int({ error: `must be a whole number of ${what}` })
    .min(least, `must be at least ${least} ${what}`)
    .max(most, `must be at most ${most} ${what}`)

const refuse = (issues: z.RefinementCtx, option: string, message: string) =>
  issues.addIssue({ code: "custom", path: [option], message })

const TIME_ZONE = "a time zone such as Europe/Moscow"
const WHERE = "the page Payouts shows each admin their own id"
const USER_ID = `must be a user's id: ${WHERE}`
/** A person who can invite users chooses their e-mail addresses, but nobody chooses an id. */
const userId = z
  .string({ error: USER_ID })
  .trim()
  .regex(/^[^@\s,]+$/, USER_ID)

const payoutOptions = z
  .strictObject(
    {
      enabled: trueOrFalse().default(false),
      approval: trueOrFalse().default(false),
      perPayout: wholeNumber("rubles", SMALLEST_PAYOUT, LARGEST_PAYOUT).default(LARGEST_PAYOUT),
      perDay: wholeNumber("rubles", SMALLEST_PAYOUT).optional(),
      timeZone: text(TIME_ZONE).refine(isTimeZone, `must be ${TIME_ZONE}`).default("UTC"),
      users: listOf(userId, 'user ids, for example ["user_01…", "user_02…"]')
        .transform((ids) => [...new Set(ids)])
        .default([]),
    },
    { error: sectionError('payouts: { enabled: true, perDay: 300000, users: ["user_01…"] }') }
  )
  .superRefine(({ enabled, approval, perDay, users }, issues) => {
    if (!enabled) return
    if (perDay === undefined)
      refuse(issues, "perDay", "must be given where payouts.enabled is true")
    const [least, named] = approval ? [2, "two users at least"] : [1, "who may pay out"]
    if (users.length < least) refuse(issues, "users", `must name ${named}: ${WHERE}`)
  })
  .prefault({})

const isAddress = (value: string) => z.url({ protocol: /^https?$/ }).safeParse(value).success

const address = (what: string) =>
  text(what)
    // The plugin appends paths, which a query or fragment would swallow.
    .refine(
      (value) => isAddress(value) && !/[?#@]/.test(value),
      `must be ${what}, without query or credentials`
    )
    // One spelling, because rows are found by their address.
    .transform((value) => new URL(value).href.replace(/\/+$/, ""))

const statusNames = () => listOf(text("a status name"), "status names, as the service writes them")

/** The service's numeric codes by a label; the specification shows no codes. */
const codes = () =>
  z
    .record(
      z.string(),
      text("a numeric code written as text").regex(/^\d+$/, "must be a numeric code as text"),
      { error: 'must be codes by their label, for example { "Paid": "5" }' }
    )
    .default({})

/** Currencies that have more or fewer than two decimals, by ISO 4217. */
const WITHOUT_TWO_DECIMALS =
  "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF " +
  "BHD IQD JOD KWD LYD OMR TND CLF UYW"
const currency = text("a currency code")
  .regex(/^[A-Za-z]{3}$/, "must be currency codes such as RUB")
  .transform((code) => code.toUpperCase())
  .refine(
    (code) => !WITHOUT_TWO_DECIMALS.includes(code),
    "must be a currency with two decimals, since amounts in others would be rounded wrongly"
  )

const HOST_NAME = 'a host name such as "files.example.com", without https:// and port'
/** Spelled as `URL` does, because links are compared with it. */
const hostName = text(HOST_NAME)
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u, `must be ${HOST_NAME}`)
  .refine((host) => URL.canParse(`https://${host}`), `must be ${HOST_NAME}`)
  .transform((host) => new URL(`https://${host}`).hostname)

/** Addresses are checked with placeholders filled in. The last three are older stores': only the session's gets a value. */
const PLACEHOLDERS = /\{(?:return_id|country_code|state|cart_id|order_id|session_id)\}/g
const storefrontAddress = text("the address of a storefront page").refine((value) => {
  const filled = value.replace(PLACEHOLDERS, "x")
  return isAddress(filled) && !/[{}]/.test(filled)
}, "must be a full address, https://…, whose placeholders are {return_id}, {country_code}, {state}")

const ofStorefront = { section: "storefront", hasHost: true } as const
const storefront = {
  successUrl: storefrontAddress.meta(ofStorefront),
  failureUrl: storefrontAddress.meta(ofStorefront),
  pendingUrl: storefrontAddress.optional().meta(ofStorefront),
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
    for (const known of ["PENDING", "CANCELED"].filter((name) => lists.paid.includes(name))) {
      const why = `must not contain ${known}, which the specification gives another meaning`
      refuse(issues, "paid", why)
    }
    const seen = new Map<string, string>()
    for (const [list, names] of Object.entries(lists)) {
      for (const name of names) {
        const other = seen.get(name)
        if (other && other !== list) {
          refuse(issues, list, `must not name "${name}" again, it is in statuses.${other}`)
        }
        seen.set(name, list)
      }
    }
  })

export const storeOptions = z.object({
  backendUrl: address("the public address of this store's backend").meta({
    section: "service",
    hasHost: true,
  }),
  callbackToken: text("a token")
    .regex(/^[\w-]{16,128}$/, "must be 16 to 128 letters, digits, - or _")
    .optional()
    .meta({ section: "service", isSecret: true, isFileOnly: true }),
  watcher: group("limits", { readsPerSecond: wholeNumber("reads", 1, 1_000).default(5) }),
  creationLimits: group("limits", {
    perCart: wholeNumber("payments in ten minutes", 1).default(10),
  }),
  payouts: payoutOptions.meta({ section: "limits", isFileOnly: true }),
  language: oneOf("en", "ru").meta({ section: "limits" }),
  retention: group("limits", {
    years: wholeNumber("years", 2, 100).default(5),
    days: wholeNumber("days", 1, 3_660).default(90),
  }),
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
    .array(currency)
    .min(1, "must name at least one currency")
    .default(["RUB"])
    .meta({ section: "checkout" }),
  ...storefront,
  storefronts: z
    .record(z.string(), z.strictObject({ ...storefront, name: text("a shop's name").optional() }))
    .default({})
    .meta({ section: "storefront", isFileOnly: true }),
  description: text("a text").default("{store}: {items}").meta({ section: "checkout" }),
  payer: group("checkout", {
    userId: oneOf("required", "optional"),
    name: trueOrFalse().default(false),
    ip: text('"off", "request" or the name of a header').default("off"),
  }),
  orderPlacement: oneOf("after_payment", "before_payment").meta({ section: "checkout" }),
  export: group("lists", {
    statusCodes: codes(),
    methodCodes: codes(),
    linkHosts: listOf(hostName, 'host names, for example ["files.example.com"]')
      .default([])
      .meta({ hasHost: true }),
  }),
  subscriptions: group("lists", {
    callbacks: trueOrFalse().default(false),
    statusCodes: codes(),
    intervalCodes: codes(),
  }),
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

/** The options of the whole store as far as they are given; without its address no account is complete. */
export const givenStoreOptions = storeOptions.partial({ backendUrl: true })

export const everyOption = z.strictObject({ ...accountOptions.shape, ...storeOptions.shape })

export type AccountOptions = z.output<typeof accountOptions>
export type StoreOptions = z.output<typeof givenStoreOptions>
type OfAccount = z.input<typeof accountOptions>
/** The file may leave out any option, which can then be set on the page Settings; undefined counts as left out. */
type Left<Options> = { [Name in keyof Options]?: Options[Name] | undefined }
type AccountInput = Left<Omit<OfAccount, "statuses">> & {
  statuses?: Left<OfAccount["statuses"]> | undefined
}
/** The plugin's options, as written in `medusa-config.ts`. */
export type PaymentServiceOptions = AccountInput &
  Left<z.input<typeof storeOptions> & { accounts: Record<string, AccountInput> }>

/** How an option is typed in: `codes` are numeric codes by their labels. */
export type OptionKind = "text" | "number" | "flag" | "choice" | "list" | "codes"

type OptionName = Code<"optionLabels"> & Code<"optionHelp">

export const isStoreOption = (key: PropertyKey = "") => Object.hasOwn(storeOptions.shape, key)

const shapes: Record<string, z.ZodType> = { ...storeOptions.shape, ...accountOptions.shape }
/** All options, those of the whole store first. What a section's metadata says holds for each of its options. */
export const OPTIONS = Object.entries(shapes).flatMap(([key, schema]) => {
  const inner = unwrapped(schema)
  const meta = schema.meta()
  if (!(inner instanceof z.ZodObject)) return describe(key, schema, meta)
  const parts: Record<string, z.ZodType> = inner.shape
  return Object.entries(parts).map(([part, option]) =>
    describe(`${key}.${part}`, option, { ...meta, ...option.meta() })
  )
})
export type OptionDescription = ReturnType<typeof describe>

function describe(name: string, schema: z.ZodType, meta: z.GlobalMeta = {}) {
  const { section, isSecret = false, isFileOnly = false, hasHost = false } = meta
  if (!section) throw new Error(`The option ${name} has no section.`)
  const inner = unwrapped(schema)
  const unset = schema.safeParse(undefined)
  return {
    name: name as OptionName,
    section,
    isOfStore: isStoreOption(name.split(".")[0]),
    isSecret,
    isFileOnly,
    hasHost,
    /** Null for what nobody can type into one field. */
    kind: kindOf(inner),
    choices: inner instanceof z.ZodEnum ? inner.options.map(String) : [],
    isRequired: !unset.success,
    /** Its value while nobody sets it; undefined when it has none. */
    byDefault: unset.data,
    schema,
  }
}

/** The schema of a value without what stands for a missing one or changes it afterwards. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in as z.ZodType)
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema
}

function kindOf(schema: z.ZodType): OptionKind | null {
  if (schema instanceof z.ZodString) return "text"
  if (schema instanceof z.ZodNumber) return "number"
  if (schema instanceof z.ZodBoolean) return "flag"
  if (schema instanceof z.ZodEnum) return "choice"
  if (schema instanceof z.ZodArray) return "list"
  return schema instanceof z.ZodRecord &&
    unwrapped(schema.valueType as z.ZodType) instanceof z.ZodString
    ? "codes"
    : null
}
