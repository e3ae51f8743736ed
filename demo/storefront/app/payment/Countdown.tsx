import { useLocale } from "../i18n/LocaleProvider"

/** Time left, or *checking* at zero: only the shop knows whether an unpaid payment is really over. */
export function Countdown({ msLeft }: { msLeft: number }) {
  const { t } = useLocale()
  const over = msLeft <= 0
  return (
    <p className="countdown">
      {!over && <span className="muted">{t.payment.timeLeft}</span>}
      <span
        className="countdown-value"
        role="timer"
        aria-live={over ? undefined : "off"}
        data-testid="countdown"
        data-state={over ? "checking" : "running"}
      >
        {over ? t.payment.checking : clock(msLeft)}
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
