import { SectionRow } from "@medusajs/dashboard/components"
import { Button, Container, Heading, Text } from "@medusajs/ui"
import { useState } from "react"

import { useFormat } from "../lib/format"
import { useRecord } from "../lib/queries"
import { Failed } from "./failed"
import { Id } from "./transaction-details"

/** All facts of a transaction at the service, read on request. */
export const ServiceRecord = ({ id }: { id: string }) => {
  const { t } = useFormat()
  const [isWanted, setIsWanted] = useState(false)
  return (
    <Container className="divide-y p-0">
      <div className="flex items-center justify-between px-6 py-4">
        <Heading level="h2">{t("record.title")}</Heading>
        {!isWanted && (
          <Button size="small" variant="secondary" onClick={() => setIsWanted(true)}>
            {t("record.show")}
          </Button>
        )}
      </div>
      {isWanted && <RecordFields id={id} />}
    </Container>
  )
}

/** The fields of the service's present record; without an answer, those of its list. */
export const RecordFields = ({ id }: { id: string }) => {
  const { t } = useFormat()
  const { data, isError, error, refetch } = useRecord(id)
  if (isError && !data) return <Failed error={error} retry={refetch} />
  if (!data) {
    return (
      <Text size="small" className="text-ui-fg-subtle px-6 py-4" role="status">
        {t("record.asking")}
      </Text>
    )
  }
  const { order_number: _number, ...listed } = data.listed ?? {}
  const fields = Object.entries(data.record ?? listed).filter(
    ([name, value]) => value !== null && value !== "" && !OURS.includes(name)
  )
  return (
    <>
      {data.record === null && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("record.gone")}
        </Text>
      )}
      {fields.map(([name, value]) => (
        <SectionRow
          key={name}
          title={t(`record.fields.${name}`, { defaultValue: name })}
          value={<Id value={String(value)} />}
        />
      ))}
    </>
  )
}

/** Columns of ours in the list's copy of a record. */
const OURS = ["transaction_row_id", "order_id", "cart_id"]
