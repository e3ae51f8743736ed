import { model } from "@medusajs/framework/utils"

import type { PaidSum, TimeToPayCount } from "../../../settlement/figures"

/** The overview's figures of one past day, counted once instead of at each look. The day is that of the reader's time zone. */
export const DayFigures = model
  .define(
    { name: "PaymentServiceDayFigures", tableName: "payment_service_day_figures" },
    {
      id: model.id({ prefix: "psday" }).primaryKey(),
      since: model.dateTime(),
      until: model.dateTime(),
      /** The sums paid, by method and currency. */
      paid: model.json<PaidSum[]>(),
      /** The number of payments for each number of seconds from opening to paying. */
      times_to_pay: model.json<TimeToPayCount[]>(),
      /** Carts whose first payment was opened on that day, and the number of them that any attempt paid. */
      carts_opened: model.number(),
      carts_paid: model.number(),
    }
  )
  .indexes([{ name: "IDX_payment_service_day_figures_span", on: ["since", "until"], unique: true }])
