import { type ReactElement, type ReactNode, useState } from "react"
import { offerOf } from "../methods.js"
import { payableAddress, qrTexts } from "../payable-address.js"
import { bestForQr, PaymentQr } from "../payment-qr.js"
import type { PaymentStatus } from "../payment-status.js"
import { fillIn } from "../texts/index.js"
import { useGivenLook } from "./look.js"

interface OpenPaymentProps {
  status: PaymentStatus
  msLeft: number | null
  /** The QR code's text; null when the payer uses the address. */
  qr: string | null
  facts: ReactNode
}

/** A payment that waits for the shopper: the QR code on wide screens, else a link to the payment. */
export function OpenPayment({ status, msLeft, qr, facts }: OpenPaymentProps): ReactElement {
  const { t, part, money, number } = useGivenLook()
  const over = msLeft === 0
  const address = payableAddress(status)
  const { isScanned, isInUsdt } = offerOf(status.method)
  const estimate = isInUsdt ? usdtEstimate(status) : null
  const open = isInUsdt ? t.openWallet : t.open

  return (
    <>
      {qr !== null && !over && <ScannedCode text={qr} />}
      <div {...part("facts")}>
        <p {...part("method")}>{t[status.method]}</p>
        <p {...part("amount")}>{money(status.amount, status.currency)}</p>
        {estimate !== null && (
          <p {...part("estimate")}>{fillIn(t.usdt, { amount: number(estimate) })}</p>
        )}
        {facts}
        {msLeft !== null && <Countdown msLeft={msLeft} />}
        {!over && qr !== null && isScanned && (
          <ol {...part("steps")}>
            {[t.scanStep1, t.scanStep2, t.scanStep3].filter(Boolean).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        {!over && address && (
          <a {...part("open")} href={address} rel="noreferrer">
            {qr === null ? open : t.openHere}
          </a>
        )}
        {!over && address && <CopyLink key={address} address={address} />}
        {!over && address && qr === null && <OtherDevice status={status} />}
        {!over && address && qr === null && <p {...part("hint")}>{t.comeBack}</p>}
        {!address && qr === null && <p {...part("hint")}>{t.noAddress}</p>}
      </div>
    </>
  )
}

/** For a browser inside another app, from which the payer wants to get out. */
function CopyLink({ address }: { address: string }): ReactElement {
  const { t, part } = useGivenLook()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      setCopied(true)
    } catch {
      // Such browsers often forbid it; in the window, the address can be copied by hand.
      prompt(t.copyLink, address)
    }
  }
  return (
    <button {...part("copy")} type="button" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? `${t.copyLink} ✓` : t.copyLink}</span>
    </button>
  )
}

/** The QR code on demand, where the link is offered first: the payer may want to pay on another device. */
function OtherDevice({ status }: { status: PaymentStatus }): ReactElement | null {
  const { t, part } = useGivenLook()
  const [shown, setShown] = useState(false)
  const text = bestForQr(qrTexts(status))
  if (text === null) return null
  return shown ? (
    <ScannedCode text={text} />
  ) : (
    <button {...part("show-qr")} type="button" onClick={() => setShown(true)}>
      {t.showQr}
    </button>
  )
}

function ScannedCode({ text }: { text: string }): ReactElement {
  const { t, part } = useGivenLook()
  return (
    <figure {...part("qr-figure")}>
      <figcaption {...part("qr-caption")}>{t.scan}</figcaption>
      <PaymentQr {...part("qr")} text={text} label={t.qrLabel} />
    </figure>
  )
}

/** Time left, or *checking* at zero: only the store knows whether an unpaid payment is really over. */
function Countdown({ msLeft }: { msLeft: number }): ReactElement {
  const { t, part } = useGivenLook()
  const over = msLeft === 0
  return (
    <p {...part("time-left")}>
      {!over && <span>{t.timeLeft} </span>}
      <span
        {...part("countdown")}
        role="timer"
        aria-live="off"
        data-state={over ? "checking" : "running"}
      >
        {over ? t.timeOver : clock(msLeft)}
      </span>
    </p>
  )
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, "0")
  )
  const hours = Math.floor(seconds / 3600)
  return (hours > 0 ? [String(hours), ...parts] : parts).join(":")
}

/**
 * Roughly how many USDT a payment takes; null without a rate. The service does not say which way its rate counts: a ruble is less
 * than a USDT, so a rate above one is rubles per USDT.
 */
function usdtEstimate({ amount, usdt_rate }: PaymentStatus): number | null {
  const rate = Number(usdt_rate)
  return rate > 0 ? Number(amount) / (rate > 1 ? rate : 1 / rate) : null
}
