import { useEffect } from "react"
import { useLocale } from "../i18n/LocaleProvider"

/** Names the page in the browser's tab. */
export function usePageTitle(title: string): void {
  const { t } = useLocale()
  useEffect(() => {
    document.title = title === t.shop ? title : `${title} · ${t.shop}`
  }, [title, t])
}
