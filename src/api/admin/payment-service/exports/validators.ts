import { z } from "@medusajs/framework/zod"

import { payoutFilters } from "../payouts/validators"
import { TimeZone } from "../query-fields"
import { recordFilters } from "../service-transactions/validators"
import { transactionFilters } from "../transactions/validators"

const locale = z.enum(["en", "ru"]).default("en")
const PERIOD = "`from` must be before `to`"

const { order: _byColumn, ...storeFilters } = transactionFilters
const { order: _byField, ...serviceFilters } = recordFilters
const { order: _byPayout, ...payoutListFilters } = payoutFilters

export type StoreExportQuery = z.output<typeof StoreExportQuery>
const StoreExportQuery = z
  .strictObject({
    ...storeFilters,
    source: z.literal("store").optional(),
    locale,
    /** The time zone in which the file's times are written. */
    time_zone: TimeZone,
  })
  .refine(({ from, to }) => !from || !to || from < to, PERIOD)

export type ServiceExportQuery = z.output<typeof ServiceExportQuery>
const ServiceExportQuery = z
  .strictObject({ ...serviceFilters, source: z.literal("service"), locale })
  .refine(({ from, to }) => from < to, PERIOD)

export type TransactionExportQuery = z.output<typeof TransactionExportQuery>
/** This store's transactions, newest first, or the service's own records, in its order; each with the filters of its list. */
export const TransactionExportQuery = z.discriminatedUnion(
  "source",
  [StoreExportQuery, ServiceExportQuery],
  { error: "`source` must be store or service" }
)

export type PayoutExportQuery = z.output<typeof PayoutExportQuery>
/** This store's payouts, newest first; the filters are those of their list. */
export const PayoutExportQuery = z
  .strictObject({ ...payoutListFilters, locale, time_zone: TimeZone })
  .refine(
    ({ created_at: at }) => !at?.gte || !at.lt || at.gte < at.lt,
    "`created_at[gte]` must be before `created_at[lt]`"
  )
