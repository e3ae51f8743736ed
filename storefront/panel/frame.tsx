import { type ReactElement, type ReactNode, useEffect, useId, useRef } from "react"
import { useGivenLook } from "./look.js"

interface FrameProps {
  state: string
  title: string
  note: string | null
  /** The store does not answer, so the shown state may be old. */
  trouble: boolean
  sign?: ReactNode
  /** Whether an open payment is shown, with or without its QR code. */
  shows?: { payment: boolean; qr: boolean }
  /** Takes the focus at once, because this frame replaced the part that had it. */
  takesFocus?: boolean
  children?: ReactNode
}

/**
 * The panel's frame. Its text is a live region that stays mounted when the text changes, because a screen reader follows only a
 * region that existed before its text.
 */
export function Frame(props: FrameProps): ReactElement {
  const { state, title, note, trouble, sign, shows, takesFocus = false, children } = props
  const { t, Heading, part } = useGivenLook()
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const lastFocused = useRef<Element | null>(null)

  useEffect(() => {
    if (takesFocus) {
      heading.current?.focus({ preventScroll: true })
    }
  }, [takesFocus])

  useEffect(() => {
    const lost = lastFocused.current !== null && !lastFocused.current.isConnected
    const nobodyHasIt = !document.activeElement || document.activeElement === document.body
    if (lost && nobodyHasIt) {
      heading.current?.focus({ preventScroll: true })
    }
  })

  return (
    <section
      {...part("panel")}
      data-state={state}
      data-open={shows?.payment ?? false}
      data-with-qr={shows?.qr ?? false}
      aria-labelledby={titleId}
      onFocus={({ target }) => {
        lastFocused.current = target
      }}
    >
      {sign && (
        <span {...part("sign")} aria-hidden="true">
          {sign}
        </span>
      )}
      <div {...part("status")} role="status" data-state={state}>
        <Heading {...part("title")} id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </Heading>
        {note && <p {...part("note")}>{note}</p>}
        {trouble && <p {...part("trouble")}>{t.trouble}</p>}
      </div>
      {children}
    </section>
  )
}
