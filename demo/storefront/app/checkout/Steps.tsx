import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"

const steps = [
  { name: "cart", href: "/cart" },
  { name: "details", href: "/checkout" },
  { name: "payment", href: null },
] as const

/** Shows the shopper's step between cart and payment; steps that are done lead back. */
export function Steps({ current }: { current: (typeof steps)[number]["name"] }) {
  const { t } = useLocale()
  const position = steps.findIndex(({ name }) => name === current)
  return (
    <nav aria-label={t.checkout.steps.label}>
      <ol className="steps">
        {steps.map(({ name, href }, index) => (
          <li key={name} aria-current={name === current ? "step" : undefined}>
            {href && index < position ? (
              <Link href={href}>{t.checkout.steps[name]}</Link>
            ) : (
              <span>{t.checkout.steps[name]}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
