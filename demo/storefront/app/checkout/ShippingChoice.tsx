import { FailureNote } from "../frame/FailureNote"
import { Loading } from "../frame/Loading"
import { useLocale } from "../i18n/LocaleProvider"
import { ChoiceCard } from "./ChoiceCard"
import type { useShippingOptions } from "./useShippingOptions"

interface ShippingChoiceProps {
  shipping: ReturnType<typeof useShippingOptions>
  currency: string
}

export function ShippingChoice({ shipping, currency }: ShippingChoiceProps) {
  const { t, money } = useLocale()
  // Of another store's options only the name is known.
  const names = new Map(Object.entries(t.checkout.shipping))
  const { options, chosenId, busy, failed, choose } = shipping
  return (
    <div className="choices" role="radiogroup" aria-label={t.checkout.delivery}>
      {!options && !failed && <Loading />}
      {options?.length === 0 && <p className="muted">{t.checkout.noShipping}</p>}
      {options?.map((option) => (
        <ChoiceCard
          key={option.id}
          group="shipping"
          title={names.get(option.type.code) ?? option.name}
          aside={option.amount ? money(option.amount, currency) : t.summary.free}
          checked={option.id === chosenId}
          disabled={busy}
          testId={`shipping-${option.id}`}
          onChoose={() => void choose(option.id)}
        />
      ))}
      <FailureNote error={failed} what="cart" />
    </div>
  )
}
