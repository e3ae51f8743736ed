import { StatusBadge, Text, toast } from "@medusajs/ui"

import type { CallbackToken, ConnectionAnswer } from "../../lib/answers"
import { call, post, useAction, useConfirm, useMay } from "../../lib/sdk"
import { useFormat } from "../../lib/format"
import { Ago, Card, Fields } from "../cards"
import { Action, Id, LinkTo } from "../link-to"

/** Changes the addresses of callbacks, after a question; the texts begin with the name of what is done. */
function useChange(name: "replace" | "remove", run: () => Promise<unknown>) {
  const { t } = useFormat()
  const confirm = useConfirm()
  const said = (text: string) => t(`connection.callbacks.${name}${text}`)
  const { act, isPending } = useAction({
    run,
    done: () => toast.success(said("Done")),
    failed: "connection.callbacks.failed",
    readAgain: ["connection"],
  })
  const ask = async () => {
    const isMeant = await confirm({
      label: said(""),
      title: said(name === "replace" ? "" : "Title"),
      description: said("Text"),
      isDangerous: name === "remove",
    })
    if (isMeant) act()
  }
  return { onClick: ask, isLoading: isPending, children: said("") }
}

/** The address to enter at the service, older addresses that still work, and whether callbacks can be read. */
export const CallbacksCard = ({ connection }: { connection: ConnectionAnswer }) => {
  const { t } = useFormat()
  const { callbacks, callback_tokens: tokens, callback_url: address } = connection
  const replace = useChange("replace", () => post("callback-tokens"))
  const mayChange = useMay("update")
  const isFromOptions = !tokens.some(
    ({ source, replaced_at }) => source === "generated" && !replaced_at
  )
  return (
    <Card
      title={t("connection.callbacks.title")}
      action={mayChange && !isFromOptions && <Action {...replace} />}
    >
      <Fields
        of={{
          "connection.callbacks.address": <Id value={address} />,
          "connection.callbacks.last": <Ago at={callbacks.last_received_at} />,
          "connection.callbacks.unreadable": <Unreadable of={callbacks} />,
        }}
      />
      <section aria-label={t("connection.callbacks.tokens")}>
        {tokens.map((token) => (
          <Token key={token.id} token={token} mayRemove={mayChange} />
        ))}
      </section>
    </Card>
  )
}

const Unreadable = ({ of }: { of: ConnectionAnswer["callbacks"] }) => {
  const { t } = useFormat()
  if (of.last_unreadable_at === null) {
    return <StatusBadge color="green">{t("connection.callbacks.readable")}</StatusBadge>
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StatusBadge color={of.problem_id ? "red" : "grey"}>
        <Ago at={of.last_unreadable_at} />
      </StatusBadge>
      {of.problem_id && (
        <LinkTo to={`/payment-service/problems/${of.problem_id}`}>
          {t("connection.callbacks.problem")}
        </LinkTo>
      )}
    </span>
  )
}

/** A working address with its date; a replaced one can be removed. */
const Token = ({ token, mayRemove }: { token: CallbackToken; mayRemove: boolean }) => {
  const { t, moment } = useFormat()
  const { id, source, created_at, replaced_at, reached_at } = token
  const remove = useChange("remove", () =>
    call(`callback-tokens/${encodeURIComponent(id)}`, { method: "DELETE" })
  )
  const at = (key: string, iso: string) =>
    t(`connection.callbacks.${key}`, { moment: moment(iso, "short") })
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-3">
      <Text size="small" leading="compact">
        {t(`connection.callbacks.${source}`)}
        <span className="text-ui-fg-subtle">
          {" "}
          {at("since", created_at)} ·{" "}
          {reached_at === null ? t("connection.callbacks.notReached") : at("reached", reached_at)}
        </span>
      </Text>
      {replaced_at === null ? (
        <StatusBadge color="green">{t("connection.callbacks.current")}</StatusBadge>
      ) : (
        <span className="flex items-center gap-3">
          <StatusBadge color="grey">{at("replaced", replaced_at)}</StatusBadge>
          {mayRemove && <Action variant="danger" {...remove} />}
        </span>
      )}
    </div>
  )
}
