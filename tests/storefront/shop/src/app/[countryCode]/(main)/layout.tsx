import { retrieveCart, updateRegion } from "@lib/data/cart"
import { updateLocale } from "@lib/data/locale-actions"
import Link from "next/link"
import { ReactNode } from "react"

export default async function PageLayout({
  children,
}: {
  children: ReactNode
}) {
  const cart = await retrieveCart()
  const count = cart?.items?.reduce((sum, { quantity }) => sum + quantity, 0)

  return (
    <>
      <nav>
        <Link href="/ru">Shop</Link>{" "}
        <Link href="/ru/cart" data-testid="nav-cart-link">
          Cart ({count ?? 0})
        </Link>
        <form action={updateRegion.bind(null, "ru", "/cart")}>
          <button>Russia</button>
        </form>
        <form action={updateLocale.bind(null, "ru-RU")}>
          <button>По-русски</button>
        </form>
        <Link href="/ru/account">Account</Link>
      </nav>
      {children}
    </>
  )
}
