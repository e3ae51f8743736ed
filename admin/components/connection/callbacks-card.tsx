import { SectionRow } from "@medusajs/dashboard/components"
import { Button, Container, Heading, StatusBadge, Text, toast, usePrompt } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import type { CallbackToken, ConnectionAnswer } from "../../lib/api"
import { useRemoveToken, useReplaceToken } from "../../lib/overview-queries"
import { useMay } from "../../lib/permissions"
import { useErrorWords } from "../../lib/refusal"
import { LinkTo } from "../link-to"
import { Moment } from "../overview/machinery-card"
import { Id } from "../transaction-details"

/** The address to enter at the service, older addresses that still work, and whether callbacks can be read. */
export const CallbacksCard = ({ connection }: { connection: ConnectionAnswer }) => {
  const { t } = useFormat()
  const words = useErrorWords()
  const { callbacks, callback_tokens: tokens, callback_url: address } = connection
  const replace = useReplaceToken()
  const mayChange = useMay("update")
  const prompt = usePrompt()
  const isFromOptions = !tokens.some(
    ({ source, replaced_at }) => source === "generated" && !replaced_at
  )
  const replaceAddress = async () => {
    const confirmed = await prompt({
      title: t("connection.callbacks.replace"),
      description: t("connection.callbacks.replaceText"),
      confirmText: t("connection.callbacks.replace"),
      cancelText: t("connection.callbacks.cancel"),
      variant: "confirmation",
    })
    if (!confirmed) return
    replace.mutate(undefined, {
      onSuccess: () => toast.success(t("connection.callbacks.replaceDone")),
      onError: (error) =>
        toast.error(t("connection.callbacks.failed"), { description: words(error) }),
    })
  }
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <Heading level="h2">{t("connection.callbacks.title")}</Heading>
        {mayChange && !isFromOptions && (
          <Button
            size="small"
            variant="secondary"
            onClick={replaceAddress}
            isLoading={replace.isPending}
          >
            {t("connection.callbacks.replace")}
          </Button>
        )}
      </div>
      <SectionRow title={t("connection.callbacks.address")} value={<Id value={address} />} />
      <SectionRow
        title={t("connection.callbacks.last")}
        value={<Moment at={callbacks.last_received_at} />}
      />
      <SectionRow
        title={t("connection.callbacks.unreadable")}
        value={
          callbacks.last_unreadable_at === null ? (
            <StatusBadge color="green">{t("connection.callbacks.readable")}</StatusBadge>
          ) : (
            <span className="flex flex-wrap items-center gap-2">
              <StatusBadge color={callbacks.problem_id ? "red" : "grey"}>
                <Moment at={callbacks.last_unreadable_at} />
              </StatusBadge>
              {callbacks.problem_id && (
                <LinkTo to={`/payment-service/problems/${callbacks.problem_id}`}>
                  {t("connection.callbacks.problem")}
                </LinkTo>
              )}
            </span>
          )
        }
      />
      <section aria-label={t("connection.callbacks.tokens")}>
        {tokens.map((token) => (
          <Token key={token.id} token={token} mayRemove={mayChange} />
        ))}
      </section>
    </Container>
  )
}

/** A working address with its date; a replaced one can be removed. */
const Token = ({
  token: { id, source, created_at, replaced_at, reached_at },
  mayRemove,
}: {
  token: CallbackToken
  mayRemove: boolean
}) => {
  const { t, moment } = useFormat()
  const words = useErrorWords()
  const remove = useRemoveToken()
  const prompt = usePrompt()
  const removeToken = async () => {
    const confirmed = await prompt({
      title: t("connection.callbacks.removeTitle"),
      description: t("connection.callbacks.removeText"),
      confirmText: t("connection.callbacks.remove"),
      cancelText: t("connection.callbacks.cancel"),
    })
    if (!confirmed) return
    remove.mutate(id, {
      onSuccess: () => toast.success(t("connection.callbacks.removeDone")),
      onError: (error) =>
        toast.error(t("connection.callbacks.failed"), { description: words(error) }),
    })
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-3">
      <Text size="small" leading="compact">
        {t(`connection.callbacks.${source}`)}
        <span className="text-ui-fg-subtle">
          {" "}
          {t("connection.callbacks.since", { moment: moment(created_at, "short") })} ·{" "}
          {reached_at === null
            ? t("connection.callbacks.notReached")
            : t("connection.callbacks.reached", { moment: moment(reached_at, "short") })}
        </span>
      </Text>
      {replaced_at === null ? (
        <StatusBadge color="green">{t("connection.callbacks.current")}</StatusBadge>
      ) : (
        <span className="flex items-center gap-3">
          <StatusBadge color="grey">
            {t("connection.callbacks.replaced", { moment: moment(replaced_at, "short") })}
          </StatusBadge>
          {mayRemove && (
            <Button
              size="small"
              variant="danger"
              onClick={removeToken}
              isLoading={remove.isPending}
            >
              {t("connection.callbacks.remove")}
            </Button>
          )}
        </span>
      )}
    </div>
  )
}
