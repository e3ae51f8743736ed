import { findNames } from "../../../../medusa/search"
import { type AskedOf, inReadersLanguage } from "../in-readers-language"

export const GET = inReadersLanguage(async (req: AskedOf<"exports">, module) => {
  const { limit, offset } = req.validatedQuery
  const page = { order: { at: "DESC", id: "DESC" }, take: limit, skip: offset } as const
  const [records, count] = await module.listAndCountExportRecords({}, page)
  const users = records.map(({ by }) => by)
  const names = await findNames(req.scope, users)
  const exports = records.map(({ created_at, updated_at, deleted_at, ...record }) => {
    return { ...record, by_name: names.get(record.by) ?? null }
  })
  return { exports, count, limit, offset }
})
