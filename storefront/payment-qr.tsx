"use client"

import { type ReactElement, useMemo } from "react"
import { encode } from "uqr"
import type { SlotAttributes } from "./parts.js"

const QUIET_ZONE = 4

export interface PaymentQrProps extends SlotAttributes {
  /** The code's text. It is only encoded, never loaded as an address. */
  text: string
  /** The code's name for screen readers. */
  label: string
}

/** Draws a QR code as vector modules in the page; nothing for a text that is too long for any code. */
export function PaymentQr({ text, label, ...attributes }: PaymentQrProps): ReactElement | null {
  const code = useMemo(() => draw(text), [text])
  if (!code) {
    return null
  }
  const { size, path } = code
  return (
    <svg
      data-part="qr"
      {...attributes}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** False for a text that is too long for any QR code. */
export function fitsQr(text: string): boolean {
  return draw(text) !== null
}

function draw(text: string): { size: number; path: string } | null {
  try {
    const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE })
    return { size, path: data.map(rowPath).join("") }
  } catch {
    return null
  }
}

function rowPath(row: boolean[], y: number): string {
  let path = ""
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) {
      continue
    }
    const start = x
    while (row[x + 1]) {
      x++
    }
    path += `M${start} ${y}h${x - start + 1}v1H${start}z`
  }
  return path
}
