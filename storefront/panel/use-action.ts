import { useRef, useState } from "react"
import { refusalStatus } from "../reader.js"
import { refusalText } from "../refusals.js"
import type { PaymentTexts } from "../texts/index.js"

/** Our sentence, and the store's own if there is one. */
export interface Failure {
  sentence: string
  detail: string | null
}

export interface Action {
  busy: boolean
  failure: Failure | null
  run: () => Promise<void>
}

/** An action of a button that runs once at a time, however often it is clicked. */
export function useAction(action: () => Promise<void>, t: PaymentTexts): Action {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const run = async () => {
    if (running.current) {
      return
    }
    running.current = true
    setBusy(true)
    setFailure(null)
    try {
      await action()
    } catch (error) {
      setFailure(failureOf(error, t))
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return { busy, failure, run }
}

function failureOf(error: unknown, t: PaymentTexts): Failure {
  // The browser's fetch reports an unreachable store as a TypeError.
  if (error instanceof TypeError && refusalStatus(error) === null) {
    return { sentence: t.failed, detail: t.unreachable }
  }
  return { sentence: t.failed, detail: refusalText(error, "en", t) }
}
