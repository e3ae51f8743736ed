import { useCallback, useEffect, useRef, useState } from "react"
import { type PaymentLink, readPaymentLink } from "../payment-link.js"
import { backOff } from "../poll-delay.js"
import { type ReaderSource, refusalStatus } from "../reader.js"

interface Known {
  /** Null until the store has answered. */
  link: PaymentLink | null
  /** The last attempts to reach the store failed. */
  trouble: boolean
  /** The store knows no such link. */
  unknown: boolean
}

const NOTHING_YET: Known = { link: null, trouble: false, unknown: false }

/** Reads a payment link; repeats less and less often while the store does not answer. */
export function usePaymentLink(
  collectionId: string,
  reader: ReaderSource
): Known & { readAgain: () => void } {
  const [held, setHeld] = useState({ collectionId, known: NOTHING_YET })
  const [round, setRound] = useState(0)
  const latestReader = useRef(reader)

  useEffect(() => {
    latestReader.current = reader
  })

  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0

    const read = async () => {
      clearTimeout(timer)
      try {
        const link = await readPaymentLink(collectionId, latestReader.current, abort.signal)
        if (!abort.signal.aborted) {
          setHeld({ collectionId, known: { link, trouble: false, unknown: false } })
        }
      } catch (error) {
        if (abort.signal.aborted) {
          return
        }
        failures += 1
        const unknown = refusalStatus(error) === 404
        setHeld((before) => {
          const known = before.collectionId === collectionId ? before.known : NOTHING_YET
          return { collectionId, known: { ...known, unknown, trouble: !unknown && failures > 1 } }
        })
        if (!unknown) {
          timer = setTimeout(() => void read(), backOff(failures))
        }
      }
    }

    void read()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [collectionId, round])

  const readAgain = useCallback(() => setRound((before) => before + 1), [])
  return { ...(held.collectionId === collectionId ? held.known : NOTHING_YET), readAgain }
}
