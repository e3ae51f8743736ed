import { Text } from "@medusajs/ui"

import type { SettingsAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Card, Note } from "../cards"
import { Id } from "../link-to"

/** The changes of options with their authors, the last one first. */
export const HistoryCard = ({ settings }: { settings: SettingsAnswer }) => {
  const { t, moment, text } = useFormat()
  const options = settings.accounts.flatMap((account) => account.options)
  const labelOf = (name: string) => {
    const option = options.find((one) => one.name === name)
    return option ? text(option.label) : name
  }
  return (
    <Card title={t("settings.history.title")} note={t("settings.history.text")}>
      {!settings.history.length && <Note>{t("settings.history.empty")}</Note>}
      {settings.history.map(({ account, version, at, by, by_name, changed }) => (
        <div key={`${account} ${version}`} className="px-6 py-3">
          <Text size="small" weight="plus">
            {by_name}
            {account && ` · ${account}`}
          </Text>
          <Text size="small" className="[overflow-wrap:anywhere]">
            {changed.map(labelOf).join(", ")}
          </Text>
          <div className="txt-xsmall">
            <Id value={by} to={`/settings/users/${by}`} />
          </div>
          <Text size="xsmall" className="text-ui-fg-subtle">
            <time dateTime={at}>{moment(at, "short")}</time>
          </Text>
        </div>
      ))}
    </Card>
  )
}
