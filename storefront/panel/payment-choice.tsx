import { type ReactElement, useId, useState } from "react"
import type { PaymentLink } from "../payment-link.js"
import type { ReaderSource } from "../reader.js"
import { startPayment } from "../start-payment.js"
import { fillIn, type PaymentTexts } from "../texts/index.js"
import { ActionButton, FailureNote } from "./action-button.js"
import { Frame } from "./frame.js"
import { useGivenLook } from "./look.js"
import { OrderNumber } from "./order-number.js"
import { useAction } from "./use-action.js"
import { type Addition, addition, type ViewState } from "./view.js"

interface PaymentChoiceProps {
  link: PaymentLink | null
  trouble: boolean
  unknown: boolean
  reader: ReaderSource
  sign: Addition
  takesFocus: boolean
  onStarted: (sessionId: string) => void
  /** The store refused to begin a payment, so its answer about the link may be old. */
  onRefused: () => void
}

/** A payment link before its payment: the sum and the methods, or the reason why nothing can be paid. */
export function PaymentChoice(props: PaymentChoiceProps): ReactElement {
  const { link, trouble, unknown, reader, takesFocus, onStarted, onRefused } = props
  const { t, part, money } = useGivenLook()
  const [picked, setPicked] = useState<string | null>(null)
  const providers = link?.providers ?? []
  const chosen = providers.find(({ id }) => id === picked) ?? providers[0]
  const state = unknown ? "unknown" : (link?.state ?? "loading")
  const signState = SIGN_STATE[state]

  const pay = useAction(async () => {
    if (!link || !chosen) {
      return
    }
    let sessionId: string
    try {
      sessionId = await startPayment(reader, { collectionId: link.id }, chosen.id)
    } catch (error) {
      onRefused()
      throw error
    }
    onStarted(sessionId)
  }, t)

  return (
    <Frame
      state={state}
      {...words(state, t)}
      trouble={trouble}
      sign={signState && addition(props.sign, { state: signState, status: null })}
      takesFocus={takesFocus}
    >
      {link && !unknown && (
        <div {...part("facts")}>
          <OrderNumber number={link.order_display_id} />
          {state === "payable" && <p {...part("amount")}>{money(link.amount, link.currency)}</p>}
        </div>
      )}
      {link && state === "payable" && (
        <>
          {chosen ? (
            <Choices providers={providers} chosenId={chosen.id} onChoose={setPicked} />
          ) : (
            <p {...part("hint")}>{t.noMethods}</p>
          )}
          <FailureNote failure={pay.failure} />
          {chosen && (
            <div {...part("actions")}>
              <ActionButton
                action={pay}
                name="pay"
                label={fillIn(t.pay, { amount: money(link.amount, link.currency) })}
              />
            </div>
          )}
        </>
      )}
    </Frame>
  )
}

interface ChoicesProps {
  providers: PaymentLink["providers"]
  chosenId: string
  onChoose: (providerId: string) => void
}

function Choices({ providers, chosenId, onChoose }: ChoicesProps): ReactElement {
  const { t, part } = useGivenLook()
  const group = useId()
  return (
    <fieldset {...part("choices")}>
      <legend>{t.howToPay}</legend>
      {providers.map(({ id, method }) => (
        <label key={id} {...part("choice")} data-method={method}>
          <input
            type="radio"
            name={group}
            value={id}
            checked={id === chosenId}
            onChange={() => onChoose(id)}
          />
          <span {...part("choice-name")}>{t[method]}</span>
          <span {...part("choice-hint")}>{t[`${method}Hint`]}</span>
        </label>
      ))}
    </fieldset>
  )
}

type ChoiceState = PaymentLink["state"] | "loading" | "unknown"

/** The payment state with the fitting sign; an open choice has none. */
const SIGN_STATE: Record<ChoiceState, ViewState | null> = {
  loading: "loading",
  unknown: "unknown",
  payable: null,
  nothing_owed: "paid",
  paid: "paid",
  canceled: "canceled",
}

function words(state: ChoiceState, t: PaymentTexts): { title: string; note: string | null } {
  switch (state) {
    case "loading":
      return { title: t.linkLoading, note: null }
    case "unknown":
      return { title: t.unknown, note: t.unknownNote }
    case "payable":
      return { title: t.toPay, note: t.toPayNote }
    case "nothing_owed":
      return { title: t.nothingOwed, note: t.nothingOwedNote }
    case "paid":
      return { title: t.alreadyPaid, note: t.alreadyPaidNote }
    case "canceled":
      return { title: t.orderCanceled, note: t.orderCanceledNote }
  }
}
