import type { ReactElement } from "react"
import { useGivenLook } from "./look.js"

/** Time left, or *checking* at zero: only the store knows whether an unpaid payment is really over. */
export function Countdown({ msLeft }: { msLeft: number }): ReactElement {
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
