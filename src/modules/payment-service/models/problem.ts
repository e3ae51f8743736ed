import { model } from "@medusajs/framework/utils"

import { PROBLEM_RESOLUTIONS } from "../../../settlement/problems/entry"

/** Money or an order in a state that a person must look at. Each cause has at most one open problem; closed ones are kept. */
export const Problem = model
  .define(
    { name: "PaymentServiceProblem", tableName: "payment_service_problem" },
    {
      id: model.id({ prefix: "psprob" }).primaryKey(),
      /** A `ProblemKind`; the catalogue in `settlement/problems.ts` explains each. */
      kind: model.text(),
      /** Identifies the problem when it is seen again, for example `transaction:pstx_…`. */
      cause: model.text(),
      /** Our row, and the service's id for it. */
      transaction_row_id: model.text().nullable(),
      transaction_id: model.text().nullable(),
      session_id: model.text().nullable(),
      cart_id: model.text().nullable(),
      order_id: model.text().nullable(),
      customer_id: model.text().nullable(),
      /** The money in question as decimal text: the paid sum, if a read has shown one. */
      amount: model.text().nullable(),
      currency: model.text().nullable(),
      /** Facts as the catalogue defines them for this kind; texts are made from them. */
      facts: model.json(),
      opened_at: model.dateTime(),
      last_seen_at: model.dateTime(),
      closed_at: model.dateTime().nullable(),
      /** Id of the admin, or null when it closed automatically. */
      closed_by: model.text().nullable(),
      resolution: model.enum([...PROBLEM_RESOLUTIONS]).nullable(),
      note: model.text().nullable(),
    }
  )
  .indexes([
    { on: ["cause"], unique: true, where: "closed_at IS NULL" },
    { on: ["cause"] },
    { on: ["kind"], where: "closed_at IS NULL" },
    { on: ["opened_at"] },
    { on: ["transaction_row_id"] },
  ])
