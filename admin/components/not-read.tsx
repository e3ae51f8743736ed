import { Container, Skeleton } from "@medusajs/ui"

import { useFormat } from "../lib/format"
import { Failed } from "./failed"

interface NotReadProps {
  answer: { isError: boolean; error: unknown; refetch: () => unknown }
}

/** Stands for a page of two columns that is not read yet, or says why it could not be read. */
export const NotRead = ({ answer: { isError, error, refetch } }: NotReadProps) =>
  isError ? (
    <Container>
      <Failed error={error} retry={refetch} />
    </Container>
  ) : (
    <PageSkeleton />
  )

/** The cards of a page while they are loaded, as in Medusa's own pages. */
const PageSkeleton = () => {
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
