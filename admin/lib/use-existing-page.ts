import { useEffect } from "react"
import { useSearchParams } from "react-router-dom"

/**
 * Leads back to the first page of a list from one that there is no more: filters are set on a later page, too, and rows
 * that were dealt with leave the list.
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
