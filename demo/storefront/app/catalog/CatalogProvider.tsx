import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react"
import { config } from "../config"
import { useLocale } from "../i18n/LocaleProvider"
import { sdk, type Product } from "../medusa"
import { localized } from "./localized"
import { unitsAvailable } from "./stock"

interface Catalog {
  products: Product[] | null
  failed: unknown
  reload: () => void
  /** A product's title in the shopper's language; the fallback is what the cart or the order wrote down. */
  titleOf: (productId: string | null | undefined, fallback: string) => string
  /** How many of a variant can be bought; Infinity when the shop does not count or it is not known here. */
  available: (variantId: string | null | undefined) => number
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
      titleOf(productId, fallback) {
        // The shop's own title is in one language only, so it is no stand-in for the right one.
        if (!products && !failed) return "…"
        const product = products?.find((candidate) => candidate.id === productId)
        return product ? localized(product, "title", locale) : fallback
      },
      available(variantId) {
        const variant = products
          ?.flatMap((product) => product.variants ?? [])
          .find((candidate) => candidate.id === variantId)
        return variant ? unitsAvailable(variant) : Infinity
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
