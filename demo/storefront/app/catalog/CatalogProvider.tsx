import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react"
import { type Locale, useLocale } from "../i18n/LocaleProvider"
import { config, type Product, sdk } from "../medusa"

interface Bought {
  product_id?: string | null
  product_title?: string | null
  title: string
}

interface Catalog {
  products: Product[] | null
  failed: unknown
  reload: () => void
  /** The title of what is in a cart or an order, in the shopper's language. */
  titleOf: (item: Bought) => string
}

const Context = createContext<Catalog | null>(null)

const FIELDS = "*variants.calculated_price,+variants.inventory_quantity,+metadata"

export function CatalogProvider({ children }: { children: ReactNode }) {
  const { locale } = useLocale()
  const [products, setProducts] = useState<Product[] | null>(null)
  const [failed, setFailed] = useState<unknown>(null)

  const reload = useCallback(() => {
    setFailed(null)
    sdk.store.product
      .list({ region_id: config.regionId, fields: FIELDS, limit: 60, order: "created_at" })
      .then(({ products: listed }) => setProducts(listed))
      .catch((error: unknown) => setFailed(error))
  }, [])

  useEffect(reload, [reload])

  const value = useMemo<Catalog>(
    () => ({
      products,
      failed,
      reload,
      titleOf({ product_id, product_title, title }) {
        // The shop's own title is in one language only, so it is no stand-in for the right one.
        if (!products && !failed) return "…"
        const product = products?.find(({ id }) => id === product_id)
        return product ? localized(product, "title", locale) : (product_title ?? title)
      },
    }),
    [products, failed, reload, locale]
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}

export function useCatalog(): Catalog {
  const value = useContext(Context)
  if (!value) {
    throw new Error("useCatalog needs a CatalogProvider above it")
  }
  return value
}

/**
 * A product's text in the shopper's language, from `metadata.title_ru`, `metadata.description_en` and so on;
 * without it, the product's own.
 */
export function localized(
  product: Product,
  field: "title" | "description",
  locale: Locale
): string {
  const translated = product.metadata?.[`${field}_${locale}`]
  return typeof translated === "string" ? translated : (product[field] ?? "")
}
