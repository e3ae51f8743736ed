import { z } from "zod"

import type { Code } from "../texts"
import { accountOptions, type SECTIONS, storeOptions } from "./options"

/** How an option is typed in: `codes` are numeric codes by their labels. */
export type OptionKind = "text" | "number" | "flag" | "choice" | "list" | "codes"

/** A value of an option that can be typed in. */
export type OptionValue = string | number | boolean | string[] | Record<string, string>

/** The name of an option has two texts. */
type OptionName = Code<"optionLabels"> & Code<"optionHelp">

/** An option as the page Settings shows it. */
export interface OptionDescription {
  /** Its path, for example `statuses.paid`. */
  name: OptionName
  section: (typeof SECTIONS)[number]
  /** Whether it belongs to the whole store, and to no account. */
  isOfStore: boolean
  isSecret: boolean
  isFileOnly: boolean
  /** Whether payers or files are led to a host that it names. */
  hasHost: boolean
  /** Null for what nobody can type into one field. */
  kind: OptionKind | null
  choices: string[]
  isRequired: boolean
  /** Its value while nobody sets it; undefined when it has none. */
  byDefault: unknown
  schema: z.ZodType
}

/** All options, those of the whole store first. */
export const OPTIONS: readonly OptionDescription[] = [
  ...describe(storeOptions.shape, true),
  ...describe(accountOptions.shape, false),
]

function describe(
  shape: Record<string, z.ZodType>,
  isOfStore: boolean,
  prefix = "",
  inherited: z.GlobalMeta = {}
): OptionDescription[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const name = `${prefix}${key}` as OptionName
    const meta = { ...inherited, ...schema.meta() }
    const inner = unwrapped(schema)
    if (inner instanceof z.ZodObject) return describe(inner.shape, isOfStore, `${name}.`, meta)
    const { section, isSecret = false, isFileOnly = false, hasHost = false } = meta
    if (!section) throw new Error(`The option ${name} has no section.`)
    const unset = schema.safeParse(undefined)
    return {
      name,
      section,
      isOfStore,
      isSecret,
      isFileOnly,
      hasHost,
      kind: kindOf(inner),
      choices: inner instanceof z.ZodEnum ? inner.options.map(String) : [],
      isRequired: !unset.success,
      byDefault: unset.data,
      schema,
    }
  })
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
