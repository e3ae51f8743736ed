import { SectionRow } from "@medusajs/dashboard/components"
import { Text } from "@medusajs/ui"
import { useState } from "react"

import type { RecordAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { entryOf, useRead } from "../../lib/sdk"
import { Card, Note, NotRead, Tiny } from "../cards"
import { Action, Id, LinkTo } from "../link-to"

/** The service is asked each time, because its present record is wanted. */
export const useRecord = (id: string) =>
  useRead(entryOf("service-transactions", id), {}, { staleTime: 0, retry: false })

/** All facts of a transaction at the service, read on request. */
export const ServiceRecord = ({ id }: { id: string }) => {
  const { t } = useFormat()
  const [isWanted, setIsWanted] = useState(false)
  const show = <Action onClick={() => setIsWanted(true)}>{t("record.show")}</Action>
  return (
    <Card title={t("record.title")} action={!isWanted && show}>
      {isWanted && <RecordFields id={id} />}
    </Card>
  )
}

/** The fields of the service's present record; without one, those of its list or of a comparison, and why. */
export const RecordFields = ({ id }: { id: string }) => {
  const { t, text, owner } = useFormat()
  const answer = useRecord(id)
  const { data, isFetching, refetch } = answer
  if (!data) return <NotRead shape="rows" answer={answer} />
  const { record, listed, compared, failures } = data
  const source = listed ? "listed" : compared ? "compared" : "nowhere"
  const hasFailed = failures.length > 0
  return (
    <>
      {hasFailed && (
        <div role="alert" className="flex flex-col items-start gap-y-2 px-6 py-4">
          {failures.map((failure) => (
            <div key={`${failure.account} ${failure.merchant_id}`}>
              <Text size="small" className="text-ui-fg-error">
                {t("record.notAsked", { reason: text(failure.messages) })}
              </Text>
              <Tiny>
                {owner(failure)} <span lang="en">{failure.detail}</span>
              </Tiny>
            </div>
          ))}
          <Action isLoading={isFetching} onClick={() => void refetch()}>
            {t("failed.retry")}
          </Action>
        </div>
      )}
      {!record && !(hasFailed && source === "nowhere") && (
        <Note>
          {t(`record.${hasFailed ? "earlier" : "gone"}.${source}`)}{" "}
          {!listed && compared && (
            <LinkTo to={`/payment-service/problems/${compared.problem_id}`}>
              {t("record.problem")}
            </LinkTo>
          )}
        </Note>
      )}
      <Facts {...data} />
    </>
  )
}

/** Sums, times and methods as other pages write them; fields that only this service has, under its own names. */
const Facts = ({ record, listed, compared }: RecordAnswer) => {
  const { t, money, usdt, number, moment, wallClock, word } = useFormat()
  const shown = record ?? listed ?? compared
  if (!shown) return null
  const sum = (amount: string) => money(amount, shown.currency)
  const method = (name: string) => word("methodNames", name)
  const writtenAs: Partial<Record<string, (value: string) => string>> = {
    amount: sum,
    commission: (said) => number(Number(said)),
    commissionUsdt: usdt,
    amountUsdt: usdt,
    paymentMethod: method,
    method,
    expiresInSeconds: (seconds) => number(Number(seconds)),
    recorded_at: (time) => [wallClock(time), listed?.time_zone].filter(Boolean).join(" "),
    seen_at: moment,
  }
  const known = Object.entries(shown).flatMap(([name, value]) => {
    const isShown = typeof value !== "object" && value !== "" && !OURS.includes(name)
    return isShown ? [[name, String(value)] as const] : []
  })
  return known.map(([name, value]) => (
    <SectionRow
      key={name}
      title={t(`record.fields.${name}`, { defaultValue: name })}
      value={writtenAs[name]?.(value) ?? <Id value={value} />}
    />
  ))
}

/** Fields that this store adds to a record, and fields that have rows of their own. */
const OURS = [
  "time_zone",
  "transaction_row_id",
  "order_id",
  "order_number",
  "cart_id",
  "problem_id",
]
