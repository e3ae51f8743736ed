import { useEffect } from "react"
import { useSearchParams } from "react-router-dom"

import { chosenIn, codesIn } from "./address-filters"

/**
 * Writes codes that stand alone in the address bar (`state=paid`) as lists: Medusa's table, which lets several be chosen,
 * would take a single one apart into letters.
 *
 * @param names of the filters of which several codes may be chosen
 */
export function useCodesAsLists(names: readonly string[]): void {
  const [params, setParams] = useSearchParams()
  const alone = names
    .filter((name) => ["string", "number", "boolean"].includes(typeof chosenIn(params.get(name))))
    .join(" ")
  useEffect(() => {
    if (!alone) return
    setParams(
      (before) => {
        for (const name of alone.split(" ")) {
          before.set(name, JSON.stringify(codesIn(before.get(name))))
        }
        return before
      },
      { replace: true }
    )
  }, [alone, setParams])
}
