import { useEffect } from "react"
import { useCatalog } from "../catalog/CatalogProvider"
import { ProductCard } from "../catalog/ProductCard"
import { FailureNote } from "../frame/FailureNote"
import { usePageTitle } from "../frame/usePageTitle"
import { useLocale } from "../i18n/LocaleProvider"

export function HomePage() {
  const { t } = useLocale()
  const { products, failed, reload } = useCatalog()
  usePageTitle(t.shop)

  // Stock may have changed since the shopper was here.
  useEffect(reload, [reload])

  return (
    <>
      <div className="hero">
        <h1>{t.home.title}</h1>
        <p>{t.home.lead}</p>
      </div>
      <FailureNote error={failed} what="load" onRetry={reload} />
      {products?.length === 0 && <p className="muted">{t.home.empty}</p>}
      <div className="grid" aria-busy={!products && !failed}>
        {products
          ? products.map((product) => <ProductCard key={product.id} product={product} />)
          : !failed &&
            Array.from({ length: 6 }, (_, index) => <div key={index} className="ghost" />)}
      </div>
    </>
  )
}
