import { Container, Heading, Text } from "@medusajs/ui"

import type { SettingsAnswer } from "../../lib/api"
import { useFormat } from "../../lib/format"

/** Who changed which options, the last one first. */
export const HistoryCard = ({ settings }: { settings: SettingsAnswer }) => {
  const { t, moment, text } = useFormat()
  const options = settings.accounts.flatMap((account) => account.options)
  const labelOf = (name: string) => {
    const option = options.find((one) => one.name === name)
    return option ? text(option.label) : name
  }
  return (
    <Container className="divide-y p-0">
      <Heading level="h2" className="px-6 py-4">
        {t("settings.history.title")}
      </Heading>
      {!settings.history.length && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("settings.history.empty")}
        </Text>
      )}
      {settings.history.map(({ account, version, at, by_name, changed }) => (
        <div key={`${account} ${version}`} className="px-6 py-3">
          <Text size="small" weight="plus">
            {by_name}
            {account && ` · ${account}`}
          </Text>
          <Text size="small" className="[overflow-wrap:anywhere]">
            {changed.map(labelOf).join(", ")}
          </Text>
          <Text size="xsmall" className="text-ui-fg-subtle">
            <time dateTime={at}>{moment(at, "short")}</time>
          </Text>
        </div>
      ))}
    </Container>
  )
}
