import { useEffect, useReducer } from "react"

import { useFormat } from "../lib/format"

const EVERY_MS = 1_000

/** When the service was last asked about a payment, as the time goes on. */
export const LastAsked = ({ at }: { at: string | null }) => {
  const { t, ago, moment } = useFormat()
  useTicks()
  if (at === null) return <>{t("verdict.neverAsked")}</>
  return (
    <time dateTime={at} title={moment(at)}>
      {t("verdict.asked", { ago: ago(at) })}
    </time>
  )
}

/** Draws a component again each second. */
function useTicks() {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
}
