import { useEffect } from "react"
import { useSearchParams } from "react-router-dom"

/**
 * Leads from a page of a list that no longer exists to the first one: filters may be set on a later page, and handled rows leave
 * the list.
 */
export function useExistingPage(answer: { count: number; offset: number } | undefined): void {
  const [, setParams] = useSearchParams()
  const isBeyond = answer !== undefined && answer.count > 0 && answer.offset >= answer.count
  useEffect(() => {
    if (!isBeyond) return
    setParams(
      (params) => {
        params.delete("offset")
        return params
      },
      { replace: true }
    )
  }, [isBeyond, setParams])
}
