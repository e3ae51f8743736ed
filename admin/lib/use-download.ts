import { useEffect, useRef, useState } from "react"

import { download, save } from "./download"

/** The progress of a download. */
export type Progress =
  | { state: "none" }
  | { state: "running"; bytes: number }
  | { state: "canceled" }
  | { state: "finished"; name: string; bytes: number }
  | { state: "failed"; error: unknown }

/** One download at a time; it ends with its page. */
export function useDownload() {
  const [progress, setProgress] = useState<Progress>({ state: "none" })
  const controller = useRef<AbortController | null>(null)
  const cancel = () => controller.current?.abort()
  useEffect(() => cancel, [])

  const start = async (path: string, query: object): Promise<void> => {
    const { signal } = (controller.current = new AbortController())
    setProgress({ state: "running", bytes: 0 })
    let shown = 0
    const onProgress = (bytes: number) => {
      // Drawing each piece would take longer than receiving it.
      const now = performance.now()
      if (now - shown < 200) return
      shown = now
      setProgress({ state: "running", bytes })
    }
    try {
      const file = await download(path, query, { signal, onProgress })
      save(file)
      setProgress({ state: "finished", name: file.name, bytes: file.blob.size })
    } catch (error) {
      setProgress(signal.aborted ? { state: "canceled" } : { state: "failed", error })
    }
  }
  return { progress, start, cancel }
}
