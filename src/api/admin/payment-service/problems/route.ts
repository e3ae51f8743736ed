import { filterOf } from "../../../../payments"
import { problemViews } from "../../../../problems"
import { type AskedOf, inReadersLanguage, maySeeCustomers } from "../in-readers-language"

export const GET = inReadersLanguage(async (req: AskedOf<"problems">, { problemList }) => {
  const { limit, offset, order, ...asked } = req.validatedQuery
  const seesCustomers = await maySeeCustomers(req)
  const filter = await filterOf(req.scope, asked, seesCustomers)
  const [rows, count] = await problemList.pageAndCount(filter, { order, limit, offset })
  return { problems: await problemViews(req.scope, rows, { seesCustomers }), count, limit, offset }
})
