import { Skeleton } from "@medusajs/ui"

import { useFormat } from "../lib/format"

/** Stands for the cards of a page of two columns while they are loaded, as in Medusa's own pages. */
export const PageSkeleton = () => {
  const { t } = useFormat()
  return (
    <div
      role="status"
      aria-label={t("loading")}
      className="flex w-full flex-col gap-x-4 gap-y-3 xl:grid xl:grid-cols-[minmax(0,_1fr)_440px]"
    >
      <div className="flex flex-col gap-y-3">
        <Skeleton className="h-24 rounded-lg" />
        <Skeleton className="h-96 rounded-lg" />
      </div>
      <div className="flex flex-col gap-y-3">
        <Skeleton className="h-36 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  )
}
