import { useEffect } from "react"
import { useCatalog } from "../catalog/CatalogProvider"
import { ProductCard } from "../catalog/ProductCard"
import { Loading } from "../frame/Empty"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"

export function HomePage() {
  const { t } = useLocale()
  const { products, failed, reload } = useCatalog()

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
      {!products && !failed && <Loading />}
      <div className="grid">
        {products?.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </div>
    </>
  )
}
