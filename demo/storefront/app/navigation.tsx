import { useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from "react"

const MOVED = "storefront:moved"

/** Goes to another page of the shop without loading it anew. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) {
    window.history.replaceState(null, "", to)
  } else {
    window.history.pushState(null, "", to)
  }
  window.scrollTo(0, 0)
  window.dispatchEvent(new Event(MOVED))
}

interface Place {
  path: string
  query: URLSearchParams
}

/** The shopper's page; follows `navigate` and the browser's own buttons. */
export function usePlace(): Place {
  const address = useSyncExternalStore(subscribe, read)
  const [path = "/", search = ""] = address.split("?", 2)
  return {
    path: path === "/" ? path : path.replace(/\/+$/, ""),
    query: new URLSearchParams(search),
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(MOVED, listener)
  window.addEventListener("popstate", listener)
  return () => {
    window.removeEventListener(MOVED, listener)
    window.removeEventListener("popstate", listener)
  }
}

function read(): string {
  return window.location.pathname + window.location.search
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string
}

/** A real link; a plain click stays in the page, every other click is the browser's. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || event.button !== 0 || modified) {
      return
    }
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
