import { useFormat } from "../lib/format"

/** When the service was last asked about a payment. */
export const LastAsked = ({ at }: { at: string | null }) => {
  const { t, ago, moment } = useFormat()
  if (at === null) return <>{t("verdict.neverAsked")}</>
  return (
    <time dateTime={at} title={moment(at)}>
      {t("verdict.asked", { ago: ago(at) })}
    </time>
  )
}
