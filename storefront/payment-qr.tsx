"use client"

import { type ReactElement, useMemo } from "react"
import { encode } from "uqr"
import type { SlotAttributes } from "./parts.js"

const QUIET_ZONE = 4
/** The modules along an edge, with the quiet zone, that a code of usual size may have so that each is two pixels wide. */
const FINEST_READABLE = 117

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

/**
 * The first text whose code a phone can read from a screen, else the first that fits into any code, because a fine code is better
 * than none; null when no text does.
 */
export function bestForQr(texts: string[]): string | null {
  const codes = texts.flatMap((text) => {
    const size = draw(text)?.size
    return size ? [{ text, size }] : []
  })
  const best = codes.find(({ size }) => size <= FINEST_READABLE) ?? codes[0]
  return best?.text ?? null
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
