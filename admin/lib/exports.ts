import { keepPreviousData, useQuery } from "@tanstack/react-query"

import type { Page, Text } from "./api"
import type { ExportSource } from "./filter-words"
import { exportKeys } from "./query-keys"
import { ask } from "./sdk"

/** The end of an export that runs now comes into view after this long. */
const EVERY_MS = 5_000

/** A file that somebody asked for. */
export interface ExportRecord {
  id: string
  by: string
  by_name: string | null
  source: ExportSource
  name: string
  /** In the form of the routes. */
  filters: Record<string, unknown>
  started_at: string
  outcome: "running" | "complete" | "canceled" | "failed"
  rows: number
  error_messages: Text | null
}

/** The exports of all admins, the latest first. */
export function useExports(query: { limit: number; offset: number }) {
  return useQuery({
    queryKey: exportKeys.list(query),
    queryFn: () => ask<Page & { exports: ExportRecord[] }>("exports", query),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
    retry: false,
  })
}
