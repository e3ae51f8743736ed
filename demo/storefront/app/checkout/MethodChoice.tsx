import { type Method, methodOf, paymentTexts } from "medusa-payment-sbp-crypto-storefront"
import { useEffect, useState } from "react"
import { Loading } from "../frame/Empty"
import { FailureNote } from "../frame/FailureNote"
import { CoinIcon, QrIcon } from "../frame/icons"
import { useLocale } from "../i18n/LocaleProvider"
import { config, sdk } from "../medusa"
import { ChoiceCard } from "./ChoiceCard"

interface MethodChoiceProps {
  shown: ReturnType<typeof useMethods>
  chosenId: string | undefined
  onChoose: (providerId: string) => void
}

export function MethodChoice({ shown, chosenId, onChoose }: MethodChoiceProps) {
  const { t, locale } = useLocale()
  const { methods, failed } = shown
  return (
    <fieldset className="panel">
      <legend className="panel-title">{t.checkout.payment}</legend>
      <div className="choices choices-two">
        {!methods && !failed && <Loading />}
        {methods?.length === 0 && <p className="muted">{t.checkout.noMethods}</p>}
        {methods?.map(({ id, method }) => (
          <ChoiceCard
            key={id}
            group="method"
            icon={method === "sbp" ? <QrIcon /> : <CoinIcon />}
            title={paymentTexts[locale][method]}
            hint={paymentTexts[locale][`${method}Hint`]}
            checked={id === chosenId}
            testId={`method-${method}`}
            onChoose={() => onChoose(id)}
          />
        ))}
      </div>
      <FailureNote error={failed} what="load" />
    </fieldset>
  )
}

/** The plugin's methods that are switched on in the region, SBP first; null while they are being read. */
export function useMethods() {
  const [methods, setMethods] = useState<{ id: string; method: Method }[] | null>(null)
  const [failed, setFailed] = useState<unknown>(null)

  useEffect(() => {
    sdk.store.payment
      .listPaymentProviders({ region_id: config.regionId })
      .then(({ payment_providers: providers }) => {
        const ours = providers.flatMap(({ id }) => {
          const method = methodOf(id)
          return method ? [{ id, method }] : []
        })
        setMethods(ours.sort((one, other) => other.method.localeCompare(one.method)))
      })
      .catch(setFailed)
  }, [])

  return { methods, failed }
}
