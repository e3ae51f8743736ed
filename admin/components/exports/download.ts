import { useEffect, useRef, useState } from "react"

import { call } from "../../lib/sdk"

/** A completely downloaded file. */
interface DownloadedFile {
  name: string
  blob: Blob
}

/** A download broke off in the middle. */
export class BrokenDownload extends Error {}

/** The progress of a download. */
export type Progress =
  | { state: "none" }
  | { state: "running"; bytes: number }
  | { state: "finished"; name: string; bytes: number }
  | { state: "failed"; error: unknown }

/** One download at a time; it ends with its page. */
export function useDownload() {
  const [progress, setProgress] = useState<Progress>({ state: "none" })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

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
      if (!signal.aborted) setProgress({ state: "failed", error })
    }
  }
  return { progress, start }
}

/**
 * Downloads a file of the plugin's routes and reports the number of bytes so far.
 *
 * @throws BrokenDownload; `AbortError` once `signal` has aborted; before the first byte, the error that the server answered
 */
async function download(
  path: string,
  query: object,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void }
): Promise<DownloadedFile> {
  // The query may have what was searched for, and addresses are logged.
  const file = { method: "POST", body: { ...query }, headers: { accept: "*/*" }, signal }
  const response = await call<Response>(path, file)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    const reader = response.body?.getReader()
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      parts.push(part.value)
      onProgress((bytes += part.value.length))
    }
  } catch (error) {
    if (signal.aborted) throw error
    throw new BrokenDownload("The download broke off")
  }
  const type = response.headers.get("content-type") ?? ""
  return { name: nameIn(response) ?? path.replace(/^.*\//, ""), blob: new Blob(parts, { type }) }
}

function nameIn(response: Response): string | null {
  const header = response.headers.get("content-disposition") ?? ""
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1]
  return encoded ? decodeURIComponent(encoded) : null
}

/** Saves a file through the browser. */
function save({ name, blob }: DownloadedFile): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser begins to read it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
