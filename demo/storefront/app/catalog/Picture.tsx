import { type ReactNode, useState } from "react"

interface PictureProps {
  /** The drawing follows from it: the same product always looks the same. */
  seed: string
  src: string | null | undefined
}

/** A product's photograph, or a drawing when there is none or it cannot be loaded. Decorative: the title stands beside it. */
export function Picture({ seed, src }: PictureProps) {
  const [broken, setBroken] = useState(false)
  return (
    <div className="picture">
      {src && !broken ? (
        <img src={src} alt="" loading="lazy" onError={() => setBroken(true)} />
      ) : (
        <svg viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
          {drawings[numberOf(seed) % drawings.length]}
        </svg>
      )}
    </div>
  )
}

const numberOf = (seed: string) =>
  Array.from(seed).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 0)

const drawings: ReactNode[] = [
  <>
    <rect width="400" height="300" fill="#cfd8ee" />
    <ellipse cx="200" cy="226" rx="104" ry="36" fill="#33437f" />
    <ellipse cx="202" cy="165" rx="74" ry="28" fill="#7086c1" />
    <ellipse cx="198" cy="117" rx="48" ry="22" fill="#fdf3df" />
    <ellipse cx="201" cy="82" rx="26" ry="14" fill="#66729f" />
  </>,
  <>
    <rect width="400" height="300" fill="#bde0e4" />
    <path d="M110 150a90 90 0 0 1 180 0Z" fill="#1b5560" />
    <path d="M110 156a90 90 0 0 0 180 0Z" fill="#4f98a3" />
    <circle cx="200" cy="153" r="40" fill="#fdf6e6" />
    <circle cx="318" cy="76" r="14" fill="#3d7680" />
  </>,
  <>
    <rect width="400" height="300" fill="#ebccd2" />
    <circle cx="180" cy="112" r="46" fill="#fff4ec" />
    <path d="M0 214c70-66 128-62 190-18s132 34 210-26v130H0Z" fill="#bb7385" />
    <path d="M0 258c88-44 150-30 214-6s120 20 186-22v70H0Z" fill="#6d3345" />
  </>,
]
