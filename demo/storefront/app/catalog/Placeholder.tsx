import { useId, type ReactNode } from "react"

interface Palette {
  sky: [string, string]
  far: string
  near: string
  light: string
}

const palettes: [Palette, ...Palette[]] = [
  { sky: ["#dfeee6", "#a9cdb8"], far: "#5d9a80", near: "#1f5d4c", light: "#f7f3e3" },
  { sky: ["#fbe9d7", "#f0bf98"], far: "#d98a5f", near: "#8c4a2f", light: "#fff7ea" },
  { sky: ["#e3e9f6", "#b0c0e4"], far: "#7086c1", near: "#33437f", light: "#fdf3df" },
  { sky: ["#f6e3e6", "#e0b0ba"], far: "#bb7385", near: "#6d3345", light: "#fff4ec" },
  { sky: ["#f5f0da", "#e2d29a"], far: "#b79d4c", near: "#66581f", light: "#fffdf1" },
  { sky: ["#dcf0f2", "#9fd0d6"], far: "#4f98a3", near: "#1b5560", light: "#fdf6e6" },
]

const motifs: [Motif, ...Motif[]] = [hills, pebbles, vase, arches, moons]

type Motif = (palette: Palette, turn: number) => ReactNode

/** A small abstract picture, drawn from the product's handle, for products without a photograph. */
export function Placeholder({ seed }: { seed: string }) {
  const gradient = useId()
  const number = hash(seed)
  const palette = palettes[number % palettes.length] ?? palettes[0]
  const motif = motifs[(number >>> 9) % motifs.length] ?? motifs[0]
  const turn = ((number >>> 16) % 100) / 100
  return (
    <svg viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="0.35" y2="1">
          <stop offset="0" stopColor={palette.sky[0]} />
          <stop offset="1" stopColor={palette.sky[1]} />
        </linearGradient>
      </defs>
      <rect width="400" height="300" fill={`url(#${gradient})`} />
      {motif(palette, turn)}
    </svg>
  )
}

function hills({ far, near, light }: Palette, turn: number): ReactNode {
  const sun = 110 + turn * 180
  return (
    <>
      <circle cx={sun} cy={112} r={46} fill={light} />
      <path d="M0 214c70-66 128-62 190-18s132 34 210-26v130H0Z" fill={far} opacity="0.75" />
      <path d="M0 258c88-44 150-30 214-6s120 20 186-22v70H0Z" fill={near} />
    </>
  )
}

function pebbles({ far, near, light }: Palette, turn: number): ReactNode {
  const lean = turn * 24 - 12
  return (
    <>
      <ellipse cx="200" cy="262" rx="128" ry="12" fill={near} opacity="0.18" />
      <ellipse cx="200" cy="226" rx="104" ry="36" fill={near} />
      <ellipse cx={200 + lean} cy="165" rx="74" ry="28" fill={far} />
      <ellipse cx={200 - lean} cy="117" rx="48" ry="22" fill={light} />
      <ellipse cx={200 + lean / 2} cy="82" rx="26" ry="14" fill={near} opacity="0.75" />
    </>
  )
}

function vase({ far, near, light }: Palette, turn: number): ReactNode {
  const bend = 150 + turn * 70
  return (
    <>
      <circle cx="278" cy="104" r="62" fill={light} opacity="0.8" />
      <path
        d={`M200 168C200 120 ${bend} 110 ${bend - 8} 52`}
        stroke={near}
        strokeWidth="4"
        fill="none"
      />
      <path
        d={`M200 168C204 130 240 118 ${400 - bend} 74`}
        stroke={near}
        strokeWidth="4"
        fill="none"
      />
      <ellipse cx={bend - 8} cy="56" rx="13" ry="25" fill={far} />
      <ellipse
        cx={400 - bend}
        cy="78"
        rx="13"
        ry="25"
        fill={far}
        transform={`rotate(38 ${400 - bend} 78)`}
      />
      <path
        d="M178 160h44c-4 26 30 40 30 74 0 22-12 34-26 34h-52c-14 0-26-12-26-34 0-34 34-48 30-74Z"
        fill={near}
      />
      <path d="M164 222c14 8 58 8 72 0" stroke={light} strokeWidth="3" fill="none" opacity="0.5" />
    </>
  )
}

function arches({ far, near, light }: Palette, turn: number): ReactNode {
  const shift = turn * 60 - 30
  return (
    <g transform={`translate(${200 + shift} 300)`}>
      <path d="M-150 0v-90a150 150 0 0 1 300 0V0Z" fill={far} opacity="0.45" />
      <path d="M-112 0v-80a112 112 0 0 1 224 0V0Z" fill={light} opacity="0.85" />
      <path d="M-74 0v-70a74 74 0 0 1 148 0V0Z" fill={far} />
      <path d="M-36 0v-58a36 36 0 0 1 72 0V0Z" fill={near} />
    </g>
  )
}

function moons({ far, near, light }: Palette, turn: number): ReactNode {
  const tilt = Math.round(turn * 50) - 25
  return (
    <g transform={`rotate(${tilt} 200 150)`}>
      <path d="M110 150a90 90 0 0 1 180 0Z" fill={near} />
      <path d="M110 156a90 90 0 0 0 180 0Z" fill={far} opacity="0.85" />
      <circle cx="200" cy="153" r="40" fill={light} />
      <circle cx="318" cy="76" r="14" fill={near} opacity="0.7" />
    </g>
  )
}

/** FNV-1a: spreads similar handles over the palettes and motifs. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  value ^= value >>> 15
  value = Math.imul(value, 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}
