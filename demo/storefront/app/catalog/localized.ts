import type { Locale } from "../i18n/LocaleProvider"
import type { Product } from "../medusa"

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
