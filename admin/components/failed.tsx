import { ExclamationCircle } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"
import type { ReactNode } from "react"

import { useFormat } from "../lib/format"
import { useErrorWords } from "../lib/refusal"

interface ListAnswer {
  isError: boolean
  error: unknown
  refetch: () => unknown
}
interface EmptyTexts {
  empty: { heading: string; description: string }
  filtered?: { heading: string; description: string } | { custom: ReactNode }
}

/**
 * The text of a list without rows, or the reason why it could not be read. Search and filters stay above it, because one of them
 * may be the cause.
 */
export function emptyStateOf({ isError, error, refetch }: ListAnswer, texts: EmptyTexts) {
  if (!isError) return texts
  const failed = { custom: <Failed error={error} retry={refetch} /> }
  return { empty: failed, filtered: failed }
}

interface FailedProps {
  error: unknown
  /** Repeats the failed read. */
  retry?: () => unknown
}

/** Replaces a part that could not be read, with the reason, because the rest of the page is still useful. */
export const Failed = ({ error, retry }: FailedProps) => {
  const { t } = useFormat()
  const words = useErrorWords()
  const isForbidden = (error as { status?: number }).status === 403
  return (
    <div role="alert" className="flex flex-col items-center gap-y-3 px-6 py-16 text-center">
      <ExclamationCircle className="text-ui-fg-subtle" />
      <Text size="small" className="text-ui-fg-subtle max-w-prose">
        {isForbidden
          ? t("failed.notAllowed")
          : error instanceof TypeError
            ? t("failed.silent")
            : words(error)}
      </Text>
      {retry && !isForbidden && (
        <Button size="small" variant="secondary" onClick={() => void retry()}>
          {t("failed.retry")}
        </Button>
      )}
    </div>
  )
}
