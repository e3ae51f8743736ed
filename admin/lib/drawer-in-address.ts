import { useSearchParams } from "react-router-dom"

const PARAMETER = "drawer"

/**
 * Which of the drawers about this problem or payment is open. The page's address says so: going back closes the drawer, and a
 * reload opens it again.
 */
export function useDrawerInAddress(id: string) {
  const [parameters, setParameters] = useSearchParams()
  const [of, name = ""] = (parameters.get(PARAMETER) ?? "").split(".")
  const open = (opened: string) => {
    setParameters((before) => {
      before.set(PARAMETER, `${id}.${opened}`)
      return before
    })
  }
  const close = () => {
    setParameters(
      (before) => {
        before.delete(PARAMETER)
        return before
      },
      { replace: true }
    )
  }
  return { opened: of === id ? name : null, open, close }
}
