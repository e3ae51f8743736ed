import { addToCart } from "@lib/data/cart"
import { listProducts } from "@lib/data/products"
import { convertToLocale } from "@lib/util/money"

export const dynamic = "force-dynamic"

export default async function Home() {
  const products = await listProducts()

  return (
    <ul>
      {products.map(({ id, title, variants }) => {
        const [variant] = variants ?? []
        const price = variant?.calculated_price
        return (
          variant && (
            <li key={id} data-testid={`product-${variant.sku}`}>
              {title},{" "}
              {convertToLocale({
                amount: price?.calculated_amount ?? 0,
                currency_code: price?.currency_code ?? "rub",
              })}
              <form action={addToCart.bind(null, variant.id)}>
                <button>Add to cart</button>
              </form>
            </li>
          )
        )
      })}
    </ul>
  )
}
