import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import { NavigationType, useLocation, useNavigationType, useSearchParams } from "react-router-dom"

const Searched = createContext<[text: string, search: (text: string) => void]>(["", () => {}])

/** The text that is searched for on this page, and a function that searches for another one. */
export const useSearched = () => useContext(Searched)

/** The last search of each page, for the way back to it. */
const last = new Map<string, string>()

interface SearchProps {
  /** Masks parts of a text that are not to be kept, not even in memory. */
  mask?: (text: string) => string
  children: ReactNode
}

/**
 * Keeps what is searched for on a page: an e-mail address or a name, which an address bar, a browser's history or a log must not
 * have. An address that has it all the same, in a link or written by hand, loses it.
 */
export const Search = ({ mask = (text) => text, children }: SearchProps) => {
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const isBack = useNavigationType() === NavigationType.Pop
  const written = params.get("q")
  const given = written === null ? null : mask(written)
  const [text, setText] = useState(given ?? (isBack ? last.get(pathname) : null) ?? "")
  const search = (searched: string) => {
    last.set(pathname, mask(searched))
    setText(mask(searched))
  }
  useEffect(() => {
    if (given === null) return
    last.set(pathname, given)
    setText(given)
    setParams(
      (before) => {
        before.delete("q")
        return before
      },
      { replace: true }
    )
  }, [given, pathname, setParams])
  return <Searched.Provider value={[text, search]}>{children}</Searched.Provider>
}
