import { FailureNote } from "../frame/FailureNote"
import { CoinIcon, QrIcon } from "../frame/icons"
import { Loading } from "../frame/Loading"
import { useLocale } from "../i18n/LocaleProvider"
import type { PaymentMethod } from "../payment/methods"
import { ChoiceCard } from "./ChoiceCard"

interface MethodChoiceProps {
  methods: PaymentMethod[] | null
  failed: unknown
  chosenId: string | undefined
  onChoose: (providerId: string) => void
}

export function MethodChoice({ methods, failed, chosenId, onChoose }: MethodChoiceProps) {
  const { t } = useLocale()
  return (
    <fieldset className="panel">
      <legend className="panel-title">{t.checkout.payment}</legend>
      <div className="choices choices-two">
        {!methods && !failed && <Loading />}
        {methods?.length === 0 && <p className="muted">{t.checkout.noMethods}</p>}
        {methods?.map(({ providerId, method }) => (
          <ChoiceCard
            key={providerId}
            group="method"
            icon={method === "sbp" ? <QrIcon /> : <CoinIcon />}
            title={t.method[method]}
            hint={method === "sbp" ? t.method.sbpHint : t.method.cryptoHint}
            checked={providerId === chosenId}
            testId={`method-${method}`}
            onChoose={() => onChoose(providerId)}
          />
        ))}
      </div>
      <FailureNote error={failed} what="load" />
    </fieldset>
  )
}
