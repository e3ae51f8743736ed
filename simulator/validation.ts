import { z } from "zod"

import { Refusal } from "./exchange"

/** Checks a value by a schema; the first complaint becomes a 400 that names the field. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, {
    error: ({ code, input }) =>
      code === "invalid_type" && input === undefined ? "is missing" : undefined,
  })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join(".") || "body"
  throw new Refusal(400, "invalid_input", `${field}: ${issue?.message ?? "is not valid"}`)
}

/** A moment in the specification's form. */
export const utcTime = z.iso.datetime({ error: "must be a time in UTC like 2025-01-31T12:00:00Z" })
