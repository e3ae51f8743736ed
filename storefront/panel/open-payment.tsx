import type { ReactElement, ReactNode } from "react"
import { payableAddress } from "../payable-address.js"
import { PaymentQr } from "../payment-qr.js"
import type { PaymentStatus } from "../payment-status.js"
import type { PaymentTexts } from "../texts/index.js"
import { Countdown } from "./countdown.js"
import { useGivenLook } from "./look.js"

interface OpenPaymentProps {
  status: PaymentStatus
  msLeft: number | null
  /** The QR code's text; null when the payer uses the address. */
  qr: string | null
  facts: ReactNode
}

/** A payment that waits for the shopper: the QR code on wide screens, a link to the payment on narrow ones and for crypto. */
export function OpenPayment({ status, msLeft, qr, facts }: OpenPaymentProps): ReactElement {
  const { t, part, money } = useGivenLook()
  const over = msLeft === 0
  const address = payableAddress(status)

  return (
    <>
      {qr !== null && !over && (
        <figure {...part("qr-figure")}>
          <figcaption {...part("qr-caption")}>{t.scan}</figcaption>
          <PaymentQr {...part("qr")} text={qr} label={t.qrLabel} />
        </figure>
      )}
      <div {...part("facts")}>
        <p {...part("method")}>{t[status.method]}</p>
        <p {...part("amount")}>{money(status.amount, status.currency)}</p>
        {facts}
        {msLeft !== null && <Countdown msLeft={msLeft} />}
        {!over && qr !== null && status.method === "sbp" && (
          <ol {...part("steps")}>
            {[t.scanStep1, t.scanStep2, t.scanStep3].filter(Boolean).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        {!over && address && (
          <a {...part("open")} href={address} rel="noreferrer">
            {openLabel(status, qr !== null, t)}
          </a>
        )}
        {!over && address && qr === null && <p {...part("hint")}>{t.comeBack}</p>}
        {!address && qr === null && <p {...part("hint")}>{t.noAddress}</p>}
      </div>
    </>
  )
}

function openLabel({ method }: PaymentStatus, besideQr: boolean, t: PaymentTexts): string {
  if (besideQr) {
    return t.openHere
  }
  return method === "sbp" ? t.open : t.openWallet
}
