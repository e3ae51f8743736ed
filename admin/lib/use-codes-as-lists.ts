import { useEffect } from "react"
import { useSearchParams } from "react-router-dom"

import { chosenIn, codesIn } from "./address-filters"

/**
 * Writes single codes in the address bar (`state=paid`) as lists, because Medusa's table for several choices would split a single
 * one into letters.
 *
 * @param names of the filters with several choices
 */
export function useCodesAsLists(names: readonly string[]): void {
  const [params, setParams] = useSearchParams()
  const single = names
    .filter((name) => ["string", "number", "boolean"].includes(typeof chosenIn(params.get(name))))
    .join(" ")
  useEffect(() => {
    if (!single) return
    setParams(
      (before) => {
        for (const name of single.split(" ")) {
          before.set(name, JSON.stringify(codesIn(before.get(name))))
        }
        return before
      },
      { replace: true }
    )
  }, [single, setParams])
}
