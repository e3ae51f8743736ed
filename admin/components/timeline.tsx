import { Text } from "@medusajs/ui"

import { useFormat } from "../lib/format"

/** One event as text, with its time. */
interface TimelineEntry {
  at: string
  sentence: string
  /** A person's note about it. */
  note?: string | null
  /** The name and address of the person who did it. */
  by?: string | null
}

/** A journal, newest first: each entry with its time and person. */
export const Timeline = ({ entries }: { entries: TimelineEntry[] }) => {
  const { moment } = useFormat()
  return (
    <ol className="flex flex-col px-6 py-4">
      {[...entries].reverse().map(({ at, sentence, note, by }, index) => (
        <li key={index} className="flex gap-x-3">
          <div className="flex flex-col items-center" aria-hidden="true">
            <div className="bg-ui-tag-neutral-icon mt-1.5 size-2 shrink-0 rounded-full" />
            {index < entries.length - 1 && <div className="bg-ui-border-base my-1 w-px flex-1" />}
          </div>
          <div className="min-w-0 pb-4">
            <Text size="small" leading="compact" weight="plus">
              {sentence}
            </Text>
            {note && (
              <Text size="small" className="break-words">
                {note}
              </Text>
            )}
            <Text size="xsmall" className="text-ui-fg-subtle break-words">
              <time dateTime={at}>{moment(at)}</time>
              {by ? ` · ${by}` : ""}
            </Text>
          </div>
        </li>
      ))}
    </ol>
  )
}
