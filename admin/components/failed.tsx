import { ExclamationCircle } from "@medusajs/icons"
import { Button, Text } from "@medusajs/ui"

import { useFormat } from "../lib/format"
import { useErrorWords } from "../lib/refusal"

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
