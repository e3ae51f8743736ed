import { model } from "@medusajs/framework/utils"

import type { PaidSum, TimeToPayCount } from "../../../settlement/figures"

/**
 * The overview's figures of one day that is over, counted once from the transactions instead of at each look. A day
 * begins and ends where it does in the time zone of those who look.
 */
export const DayFigures = model
  .define(
    { name: "PaymentServiceDayFigures", tableName: "payment_service_day_figures" },
    {
      id: model.id({ prefix: "psday" }).primaryKey(),
      since: model.dateTime(),
      until: model.dateTime(),
      /** The money that was paid, by method and currency. */
      paid: model.json<PaidSum[]>(),
      /** How many payments took how many seconds. */
      times_to_pay: model.json<TimeToPayCount[]>(),
      /** Carts whose first payment was opened then, and how many of these were paid by any attempt. */
      carts_opened: model.number(),
      carts_paid: model.number(),
    }
  )
  .indexes([{ name: "IDX_payment_service_day_figures_span", on: ["since", "until"], unique: true }])
