import { useQueryParams } from "@medusajs/dashboard/hooks"

export const PAYOUTS_PAGE_SIZE = 20

/** The filters of the list of payouts, from the address bar, as the routes take them. */
export function usePayoutFilters() {
  const { q, order, state, account, created_at } = useQueryParams([
    ...["q", "order", "state", "account", "created_at"],
  ])
  // Values in the address bar are JSON, as Medusa's table writes them.
  const period = created_at ? (JSON.parse(created_at) as { $gte?: string; $lte?: string }) : {}
  return {
    ...(q ? { q } : {}),
    ...(order ? { order } : {}),
    ...(state ? { state: JSON.parse(state) as string[] } : {}),
    ...(account ? { account: JSON.parse(account) as string[] } : {}),
    ...(period.$gte || period.$lte
      ? {
          created_at: {
            ...(period.$gte ? { gte: period.$gte } : {}),
            ...(period.$lte ? { lt: period.$lte } : {}),
          },
        }
      : {}),
  }
}

/** The page of the list that the address bar names, with the totals of all its pages. */
export function usePayoutListQuery() {
  const { offset } = useQueryParams(["offset"])
  return {
    ...usePayoutFilters(),
    with_totals: true,
    limit: PAYOUTS_PAGE_SIZE,
    offset: offset ? Number(offset) : 0,
  }
}
