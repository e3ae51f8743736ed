import { useState } from "react"
import { Placeholder } from "./Placeholder"

interface PictureProps {
  /** The placeholder is drawn from this: the same product always looks the same. */
  seed: string
  src: string | null | undefined
}

/** A product's photograph, or a drawn one when there is none or it cannot be loaded. Decorative: the title stands beside it. */
export function Picture({ seed, src }: PictureProps) {
  const [broken, setBroken] = useState(false)
  return (
    <div className="picture">
      {src && !broken ? (
        <img src={src} alt="" loading="lazy" onError={() => setBroken(true)} />
      ) : (
        <Placeholder seed={seed} />
      )}
    </div>
  )
}
