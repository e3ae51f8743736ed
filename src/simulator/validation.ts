import type { z } from "zod"

import { Refusal } from "./exchange"

/** Checks a value against a schema; the first complaint becomes a 400 that names the field. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join(".") || "body"
  throw new Refusal(400, "invalid_input", `${field}: ${issue?.message ?? "is not valid"}`)
}
