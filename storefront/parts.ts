import type { CSSProperties } from "react"

/** The parts of a panel, each with its name in `data-part`. */
export type Part =
  | "panel"
  | "sign"
  | "status"
  | "title"
  | "note"
  | "trouble"
  | "qr-figure"
  | "qr-caption"
  | "qr"
  | "facts"
  | "method"
  | "amount"
  | "estimate"
  | "countdown"
  | "time-left"
  | "steps"
  | "open"
  | "copy"
  | "show-qr"
  | "back"
  | "hint"
  | "failure"
  | "actions"
  | "pay-again"
  | "change-method"
  | "reference"
  | "order-number"
  | "choices"
  | "choice"
  | "choice-name"
  | "choice-hint"
  | "open-payment"
  | "continue"
  | "pay"

/** A shop's attributes for a part. */
export interface SlotAttributes {
  className?: string
  style?: CSSProperties
  [data: `data-${string}`]: string
}

export type Slots = Partial<Record<Part, SlotAttributes>>
